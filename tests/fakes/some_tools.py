"""Two tools, for tests of models that call some."""

from app.domain.prompting.tools import ToolSpec


def spec(name: str, description: str, **properties) -> ToolSpec:
    """Return a tool of which every argument is needed."""
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return ToolSpec(name, description, schema)


SEARCH = spec(
    "ctx_search",
    "Searches what was said before.",
    query={"type": "string", "description": "Words to look for."},
)
FORGET = spec("forget", "Forgets a kind of memories.", kind={"type": "string", "enum": ["a", "b"]})
TOOLS = (SEARCH, FORGET)
NAMES = tuple(tool.name for tool in TOOLS)
