"""The laws that no linter knows: import contracts, sizes, drawers, ambient objects."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "app").rglob("*.py"))
DRAWERS = {
    "utils",
    "util",
    "helpers",
    "helper",
    "common",
    "misc",
    "manager",
    "managers",
    "base_class",
}


def names(path):
    return path.relative_to(ROOT).as_posix()


def test_import_contracts_hold():
    program = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([program, "--no-cache"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", FILES, ids=names)
def test_files_and_functions_stay_small(path):
    source = path.read_text("utf-8")
    assert source.count("\n") <= 400
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            lines = (node.end_lineno - body[0].lineno + 1) if body else 0
            assert lines <= 40, f"{node.name} (line {node.lineno}) has {lines} lines"


def repositories():
    """Return the classes of the store that are made of a vault alone."""
    return {
        made.name
        for path in FILES
        if names(path).startswith("app/store/")
        for made in ast.parse(path.read_text("utf-8")).body
        if isinstance(made, ast.ClassDef)
        for begun in made.body
        if isinstance(begun, ast.FunctionDef) and begun.name == "__init__"
        if [ast.unparse(one) for one in begun.args.args[1:]] == ["vault: Vault"]
    } - {"Store"}


def called(path):
    """Return what a module calls, by how it is written there."""
    tree = ast.parse(path.read_text("utf-8"))
    return {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}


def test_only_the_store_makes_repositories_and_lends_connections():
    """Everything else is handed the store, or the one repository it needs."""
    made, lent = repositories(), re.compile(r"vault\.(write|write_until|read|search)$")
    assert len(made) > 30
    assert made <= called(ROOT / "app/store/store.py")
    for path in FILES:
        if not names(path).startswith("app/store/"):
            found = [c for c in called(path) if c.split(".")[-1] in made or lent.search(c)]
            assert not found, names(path)


def test_every_query_takes_its_scope():
    """Nothing asks for an agent by default: who asks is always said."""
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                args = node.args
                places = [*args.posonlyargs, *args.args][::-1]
                free = {one.arg for one in places[: len(args.defaults)]}
                named = zip(args.kwonlyargs, args.kw_defaults, strict=True)
                free |= {one.arg for one, value in named if value is not None}
                assert not free & {"scope", "agent_pk"}, f"{names(path)}: {node.name}"


@pytest.mark.parametrize("path", FILES, ids=names)
def test_no_drawers(path):
    assert path.stem not in DRAWERS
    assert not DRAWERS & set(path.parent.parts)


@pytest.mark.parametrize("path", FILES, ids=names)
def test_no_ambient_objects(path):
    """Module level holds constants, loggers, types and functions; nothing that changes."""
    for node in ast.parse(path.read_text("utf-8")).body:
        value = getattr(node, "value", None)
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(
            value, ast.List | ast.Set | ast.ListComp | ast.SetComp
        ):
            raise AssertionError(f"line {node.lineno}: a module-level list or set can change")
        assert not any(isinstance(n, ast.Global) for n in ast.walk(node)), "global statement"


@pytest.mark.parametrize("path", FILES, ids=names)
def test_every_module_says_what_it_is_for(path):
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


def test_importing_does_nothing():
    """Importing every module opens no window, file, socket or environment variable of ours."""
    modules = [names(p)[:-3].replace("/", ".").removesuffix(".__init__") for p in FILES]
    code = (
        "import sys\n"
        "touched = []\n"
        "sys.addaudithook(lambda e, a: touched.append((e, a[0])) if e in"
        " ('socket.connect', 'sqlite3.connect', 'subprocess.Popen', 'os.mkdir') or"
        " (e == 'open' and isinstance(a[1], str) and set(a[1]) & set('wax+')) else None)\n"
        f"for name in {[m for m in modules if m != 'app.__main__']!r}: __import__(name)\n"
        "assert not touched, touched\n"
    )
    subprocess.run([sys.executable, "-B", "-c", code], check=True, cwd=ROOT)


def test_a_class_name_means_one_thing():
    found = {}
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(names(path))
    several = {name for name, where in found.items() if len(where) > 1}
    assert several == set()
