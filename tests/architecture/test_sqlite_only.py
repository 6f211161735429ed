"""What only SQLite understands stands in few modules, which another database would replace."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STORE = ROOT / "app/store"
README = ROOT / "app/README.md"
DRIVERS = {"sqlcipher3", "sqlite_vec", "sqlite_utils"}
# Statements, functions, tables and hints that no other database knows. What PostgreSQL has as well
# may stand anywhere: ON CONFLICT (…) DO, RETURNING, window functions, recursive queries.
ONLY = re.compile(
    r"""\b(?:
      PRAGMA | VACUUM | ATTACH\s | DETACH\s | SAVEPOINT | BEGIN\sIMMEDIATE | WITHOUT\sROWID
    | INSERT\sOR | REPLACE\sINTO | INDEXED\sBY | GLOB\s | (?:_|\b)MATCH\s\? | USING\s(?:vec0|fts5)
    | sqlite_(?:master|schema|version|sequence) | rowid | \w*_docsize | integrity-check | f\.rank
    | (?:json_\w+|json|typeof|iif|total|instr|hex|group_concat|snippet|bm25|vec_\w+|unixepoch
        |strftime|julianday|printf|zeroblob|randomblob|last_insert_rowid|changes)\(
    | (?:min|max)\([^(),]+,
    )
    | \bIS\s(?:NOT\s)?(?:\?|\d|\w+\.\w+)
    | '(?:rebuild|optimize|secure-delete)'
    | ON\sCONFLICT\sDO\sUPDATE""",
    re.VERBOSE,
)


def spoken(tree):
    """Yield the texts of a module but for its docstrings, a gap where something is put in."""
    silent = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [p.value if isinstance(p, ast.Constant) else "\0" for p in node.values]
            silent |= {id(part) for part in node.values}
            yield "".join(parts)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            silent.add(id(node.value))
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in silent
        ):
            yield node.value


def imported(tree):
    """Return the packages that a module imports, wherever it does."""
    lines = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [[a.name for a in n.names] if isinstance(n, ast.Import) else [n.module] for n in lines]
    return {name.split(".")[0] for line in names for name in line if name}


def only_sqlite(source):
    """Return what of a module only SQLite understands."""
    tree = ast.parse(source)
    words = {found.group(0) for text in spoken(tree) for found in ONLY.finditer(text)}
    return words | imported(tree) & DRIVERS


def found():
    files = sorted(STORE.rglob("*.py"))
    read = {
        p.relative_to(ROOT / "app").as_posix(): only_sqlite(p.read_text("utf-8")) for p in files
    }
    return {name: words for name, words in read.items() if words}


def listed():
    """Return the modules in the map's table."""
    section = (
        README.read_text("utf-8").split("## What only SQLite understands")[1].split("\n## ")[0]
    )
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([\w/]+\.py)`", row)}


def test_what_only_sqlite_understands_stands_in_the_modules_that_the_map_lists():
    here = found()
    assert {name: words for name, words in here.items() if name not in listed()} == {}


def test_every_listed_module_has_something_that_only_sqlite_understands():
    assert listed() - found().keys() == set()


@pytest.mark.parametrize(
    "source",
    [
        "a = 'SELECT 1 WHERE x IN (SELECT value FROM json_each(?))'",
        "a = f'SELECT {x} FROM messages_fts WHERE {name} MATCH ?'",
        "a = 'PRAGMA cache_size = 3'",
        "a = f'SELECT max({x}, ?)'",
        "a = 'SELECT total(cost)'",
        "a = 'WHERE a.pk IS NOT b.pk'",
        "a = 'INSERT INTO meta VALUES (1) ON CONFLICT DO UPDATE SET a = 1'",
        "import sqlcipher3.dbapi2 as driver",
        "def a():\n    from sqlite_utils import Database",
    ],
)
def test_words_of_sqlite_are_found(source):
    assert only_sqlite(source)


@pytest.mark.parametrize(
    "source",
    [
        "def a():\n    'The total(cost) of a PRAGMA.'",
        "a = 'SELECT max(pk), min(at) FROM x WHERE a IS NOT NULL AND b IS NOT TRUE'",
        "a = 'INSERT INTO x VALUES (?) ON CONFLICT (a, b) DO UPDATE SET c = 1 RETURNING *'",
        "a = f'WHERE pk IN {listed()}'",
    ],
)
def test_words_of_every_database_are_not(source):
    assert not only_sqlite(source)
