"""How ``extraction.learn_from`` says who learns beside Loci's own reader."""

CHAT, NONE, NOTEBOOK = "chat", "none", "notebook"
_FILE, _SERVER = "file:", "server:"
FORM = (
    "{} is “chat” for the model that answers, “none” for no model, or the id of a chat model that"
    " `loci models` lists."
)


def chosen(value: str) -> str:
    """Return a value as it is stored: ``chat``, ``none``, ``file:…`` or ``server:ADDRESS#MODEL``.

    Raises:
        ValueError: It is none of these.
    """
    value = value.strip()
    if value in ("", CHAT):
        return CHAT
    if value in (NONE, NOTEBOOK):
        return NONE
    if value.startswith(_FILE) and value != _FILE:
        return value
    address, _, model = value.removeprefix(_SERVER).rpartition("#")
    if value.startswith(_SERVER) and address and model:
        return value
    raise ValueError(value)
