"""Which words of a piece of code get which colour; the colours are the theme's."""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

LONGEST_CODE = 100_000
LONGEST_LINE = 2_000


class ColouredSpan(NamedTuple):
    """A stretch of code in one colour.

    Attributes:
        token: Name of the theme's colour, or "" for plain text.
    """

    text: str
    token: str


def spans(code: str, language: str) -> Iterator[ColouredSpan]:
    """Yield all of ``code`` in order; lazily, so that a caller may pause between spans."""
    lexer = _lexer(language) if _reasonable(code) else None
    if lexer is None:
        yield ColouredSpan(code, "")
        return
    for _, kind, text in lexer.get_tokens_unprocessed(code):
        yield ColouredSpan(text, _colour(kind))


def load_lexers() -> None:
    """Load what takes a while, so that the first code is coloured without a wait."""
    for _ in spans("x = 1", "python"):
        pass


def _reasonable(code: str) -> bool:
    return len(code) <= LONGEST_CODE and max(map(len, code.split("\n"))) <= LONGEST_LINE


def _lexer(language: str) -> Any:
    name = language.lower()
    return _lexer_of(name) if name in _languages() else None


@cache
def _languages() -> frozenset[str]:
    """Return the names of languages that have a lexer: a fence may name anything."""
    from pygments.lexers import get_all_lexers

    return frozenset(alias.lower() for _, names, *_ in get_all_lexers(False) for alias in names)


@cache
def _lexer_of(name: str) -> Any:
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name(name, stripnl=False, ensurenl=False)


@cache
def _colour(kind: Any) -> str:
    from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String

    if kind in Operator.Word:
        return "syntax-keyword"
    for family, token in (
        (Comment, "syntax-comment"),
        (Keyword.Type, "syntax-builtin"),
        (Keyword, "syntax-keyword"),
        (String, "syntax-string"),
        (Number, "syntax-number"),
        (Name.Builtin, "syntax-builtin"),
        (Name.Function, "syntax-name"),
        (Name.Class, "syntax-name"),
        (Name.Decorator, "syntax-name"),
        (Name.Tag, "syntax-keyword"),
        (Name.Attribute, "syntax-name"),
        (Name.Exception, "syntax-builtin"),
        (Name.Constant, "syntax-number"),
        (Generic.Inserted, "syntax-string"),
        (Generic.Deleted, "danger"),
        (Generic.Heading, "syntax-name"),
    ):
        if kind in family:
            return token
    return ""
