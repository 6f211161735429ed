"""The laws that no linter knows: import contracts, sizes, drawers, ambient objects."""

import ast
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
