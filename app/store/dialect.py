"""How SQLite says what another database says in other words, so that repositories need not.

Each function returns a piece of SQL. A list of values reaches a statement as one JSON text, because
a statement whose text does not change with their number is prepared once.
"""

from typing import Any

INSERT_NEW = "INSERT OR IGNORE"
SCHEMA = "sqlite_master"  # the table of tables


def each(values: str = "?") -> str:
    """Return a table whose column ``value`` has the elements of a JSON list."""
    return f"json_each({values})"


def listed(values: str = "?") -> str:
    """Return what follows IN: the elements of a JSON list."""
    return f"(SELECT value FROM {each(values)})"


def gathered(value: str) -> str:
    """Return the values of a group as a JSON list."""
    return f"json_group_array({value})"


def joined(value: str) -> str:
    """Return the texts of a group with commas between them."""
    return f"group_concat({value}, ', ')"


def is_json(value: str) -> str:
    """Return whether a text is JSON."""
    return f"json_valid({value})"


def path(name: str) -> str:
    """Return where a field of a JSON object is, as it is given for a parameter."""
    return f"$.{name}"


def json_field(value: str, name: str) -> str:
    """Return what a field of a JSON object holds; its path may be a parameter."""
    return f"json_extract({value}, {_path(name)})"


def json_field_type(value: str, name: str) -> str:
    """Return of which type that is: text, integer, object, null."""
    return f"json_type({value}, {_path(name)})"


def is_object(value: str) -> str:
    """Return whether JSON is an object."""
    return f"json_type({value}) = 'object'"


def with_field(value: str, name: str, new: str) -> str:
    """Return a JSON object of which a field holds something else."""
    return f"json_set({value}, {_path(name)}, {new})"


def as_json(value: str) -> str:
    """Return a text as the JSON it is."""
    return f"json({value})"


def elements(value: str, name: str) -> str:
    """Return a table of what a list in a field of a JSON object holds."""
    return f"json_each({value}, {_path(name)})"


def stored_as(value: str, kind: str) -> str:
    """Return whether a value is of a type, which a column's own does not say: text, integer."""
    return f"typeof({value}) = '{kind}'"


def summed(value: str) -> str:
    """Return a sum that is 0 of nothing, a condition counting as 1."""
    return f"total({value})"


def same(one: str, other: str) -> str:
    """Return whether two values are the same, or both are absent."""
    return f"{one} IS {other}"


def differs(one: str, other: str) -> str:
    """Return whether two values are not the same; one that is absent differs from one that is."""
    return f"{one} IS NOT {other}"


def greatest(*values: str) -> str:
    """Return the greatest of some values, none where one is absent."""
    return f"max({', '.join(values)})"


def least(*values: str) -> str:
    """Return the least of some values, none where one is absent."""
    return f"min({', '.join(values)})"


def holds(text: str, part: str) -> str:
    """Return where a text begins in another; 0 where it does not."""
    return f"instr({text}, {part})"


def fits(value: str, pattern: str = "?") -> str:
    """Return whether a text fits a pattern in which ``*`` is anything."""
    return f"{value} GLOB {pattern}"


def in_hex(value: str) -> str:
    """Return bytes as text."""
    return f"hex({value})"


def by_index(name: str) -> str:
    """Return that a table is read by this index and no other."""
    return f"INDEXED BY {name}"


def columns_of(connection: Any, table: str) -> list[Any]:
    """Return the columns of a table: name, type, notnull, dflt_value, pk."""
    return list(connection.execute(f"PRAGMA table_info({table})"))


def references_of(connection: Any, table: str) -> dict[str, str]:
    """Return to which table each column refers."""
    found = connection.execute(f"PRAGMA foreign_key_list({table})")
    return {row["from"]: row["table"] for row in found}


def _path(name: str) -> str:
    return name if name.startswith("?") else f"'{path(name)}'"
