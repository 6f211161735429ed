"""The laws that no linter knows: import contracts, sizes, drawers, ambient objects."""

import ast
import re
import subprocess
import sys
from pathlib import Path

from tests.architecture.sources import FILES, ROOT, name, nodes, parsed

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


def test_import_contracts_hold():
    program = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([program, "--no-cache"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout


def test_files_and_functions_stay_small():
    for path in FILES:
        assert path.read_text("utf-8").count("\n") <= 400, name(path)
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                lines = (node.end_lineno - body[0].lineno + 1) if body else 0
                assert lines <= 40, f"{name(path)}: {node.name} (line {node.lineno}): {lines}"


def repositories():
    """Return the classes of the store that are made of a vault alone."""
    return {
        made.name
        for path in FILES
        if name(path).startswith("app/store/")
        for made in parsed(path).body
        if isinstance(made, ast.ClassDef)
        for begun in made.body
        if isinstance(begun, ast.FunctionDef) and begun.name == "__init__"
        if [ast.unparse(one) for one in begun.args.args[1:]] == ["vault: Vault"]
    } - {"Store"}


def called(path):
    """Return what a module calls, by how it is written there."""
    return {ast.unparse(node.func) for node in nodes(path) if isinstance(node, ast.Call)}


def test_only_the_store_makes_repositories_and_lends_connections():
    """Everything else is handed the store, or the one repository it needs."""
    made, lent = repositories(), re.compile(r"vault\.(write|write_until|read|search)$")
    assert len(made) > 30
    assert made <= called(ROOT / "app/store/store.py")
    for path in FILES:
        if not name(path).startswith("app/store/"):
            found = [c for c in called(path) if c.split(".")[-1] in made or lent.search(c)]
            assert not found, name(path)


def test_every_query_takes_its_scope():
    """Nothing asks for an agent by default: who asks is always said."""
    for path in FILES:
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef):
                args = node.args
                places = [*args.posonlyargs, *args.args][::-1]
                free = {one.arg for one in places[: len(args.defaults)]}
                named = zip(args.kwonlyargs, args.kw_defaults, strict=True)
                free |= {one.arg for one, value in named if value is not None}
                assert not free & {"scope", "agent_pk"}, f"{name(path)}: {node.name}"


def test_no_drawers():
    for path in FILES:
        assert path.stem not in DRAWERS, name(path)
        assert not DRAWERS & set(path.parent.parts), name(path)


def test_no_ambient_objects():
    """Module level holds constants, loggers, types and functions; nothing that changes."""
    for path in FILES:
        for node in parsed(path).body:
            value = getattr(node, "value", None)
            at = f"{name(path)}, line {node.lineno}"
            if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(
                value, ast.List | ast.Set | ast.ListComp | ast.SetComp
            ):
                raise AssertionError(f"{at}: a module-level list or set can change")
            assert not any(isinstance(n, ast.Global) for n in ast.walk(node)), f"{at}: global"


def test_every_module_says_what_it_is_for():
    for path in FILES:
        assert ast.get_docstring(parsed(path)), name(path)


def test_importing_does_nothing():
    """Importing every module opens no window, file, socket or environment variable of ours."""
    modules = [name(p)[:-3].replace("/", ".").removesuffix(".__init__") for p in FILES]
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
        for node in nodes(path):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(name(path))
    several = {name for name, where in found.items() if len(where) > 1}
    assert several == set()
