"""Read calls that a model writes as if it were a program: ``find({query: "tea"})``.

Small models that were taught code write so, whatever they are told. Keys may lack their quotation
marks, as in JavaScript, or be named as in Python; anything else in the brackets is no call.
"""

import json
import re
from collections.abc import Collection, Iterator

_BEFORE = r"\s*(?:```\w*\s+|`(?!`))?\s*"
_ONLY_BEFORE = re.compile(r"\s*`{1,3}\w*\s*$")
_VALUE = r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|-?\d+(?:\.\d+)?|true|false|null|True|False|None'
_PAIR = re.compile(rf"\s*[\"']?([A-Za-z_]\w*)[\"']?\s*[:=]\s*({_VALUE})\s*(?:,|$)")
_WORDS = {"True": "true", "False": "false", "None": "null"}


def may_begin(text: str, names: Collection[str]) -> bool:
    """Return whether an answer that begins like this can be such a call."""
    if _ONLY_BEFORE.match(text):
        return True
    begun = re.sub(rf"^{_BEFORE}", "", text)
    return any(
        begun.startswith(f"{name}(") or f"{name}(".startswith(begun) for name in names if begun
    )


def function_calls(text: str, names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the arguments, as JSON, of each call that a text begins with."""
    named = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    call = re.compile(rf"{_BEFORE}({named})\(\s*(\{{.*?\}}|[^{{}}]*?)\s*\)[`;\s]*", re.DOTALL)
    at = 0
    while found := call.match(text, at):
        arguments = _as_json(found[2])
        if arguments is None:
            return
        yield found[1], arguments
        at = found.end()


def _as_json(written: str) -> str | None:
    """Return arguments as an object of JSON; None where they are none."""
    inside = written.removeprefix("{").removesuffix("}").strip() if written else ""
    try:
        return json.dumps(json.loads(f"{{{inside}}}"), ensure_ascii=False)
    except ValueError:
        pass
    found, at = {}, 0
    while at < len(inside):
        pair = _PAIR.match(inside, at)
        if pair is None:
            return None
        found[pair[1]] = _value(pair[2])
        at = pair.end()
    return json.dumps(found, ensure_ascii=False)


def _value(written: str) -> object:
    if written[0] == "'":
        written = json.dumps(written[1:-1].replace("\\'", "'"))
    try:
        return json.loads(_WORDS.get(written, written))
    except ValueError:
        return written.strip("\"'")
