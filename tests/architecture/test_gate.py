"""Every word that is remembered has passed the screen: who may write memories, and who may not."""

import ast
import re

import pytest

from tests.architecture.sources import FILES, ROOT, name, parsed

GATE = "app/memory/screen/gate.py"
# Who may insert a memory besides the gate, and why.
INSERTS = {
    GATE: "it is the gate",
    "app/bench/fill.py": "fills a vault of its own with words of no meaning",
}
# Who may give a memory new words besides the gate.
UPDATES = {GATE}
# What a memory says, and how far it is believed.
WORDS = {"text", "value", "type", "source_ids", "trust"}
# Who may write the table itself.
TABLE = {
    "app/store/memories.py": "inserts, counts uses, deletes",
    "app/store/journal/revision.py": "changes",
    "app/store/vault/chain.py": "seals, and gives nothing other words",
    "app/store/journal/disputes.py": "marks what is contradicted",
    "app/store/archive.py": "restores what this very vault exported and signed",
    "app/store/work/bulk.py": "fills a vault of its own for measuring",
    "app/store/observations.py": "stamps what was folded",
}
# Who may bring rows back as they were: only what this vault had let in and signed.
RESTORES = {"app/exchange/importing.py", "app/store/archive.py"}
OUTSIDE_STORE = [path for path in FILES if "app/store" not in name(path)]


def holders(tree):
    """Return the names that hold the memories of a vault in a module, such as ``self._rows``."""
    found = {"Memories"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and made_of_memories(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=True))
                found |= {ast.unparse(t) for t, v in pairs if made_of_memories(v)}
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            target = node.arg if isinstance(node, ast.arg) else ast.unparse(node.target)
            if ast.unparse(node.annotation).strip("'\"") == "Memories":
                found |= {target, f"self.{target}", f"self._{target}"}
    return found


def made_of_memories(value):
    """Say whether an expression makes the memories of a vault, or takes them from its store."""
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    return any(
        ast.unparse(part.func).split(".")[-1] == "Memories"
        if isinstance(part, ast.Call)
        else isinstance(part, ast.Attribute) and ast.unparse(part).endswith("store.memories")
        for part in parts
    )


def calls(tree, method):
    """Yield the calls of a method of the memories."""
    named = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr == method]
    held = holders(tree) if named else set()
    for node in named:
        owner = node.value.func if isinstance(node.value, ast.Call) else node.value
        text = ast.unparse(owner)
        if text in held or text.split(".")[-1] in ("_memories", "memories"):
            yield node


def called(tree, node):
    """Return the call of an attribute; None where the method itself is passed on."""
    return next((c for c in ast.walk(tree) if isinstance(c, ast.Call) and c.func is node), None)


def wording(call, tree):
    """Say which words an update may give a memory; all where that cannot be read off."""
    given = call.args[1] if call is not None and len(call.args) > 1 else None
    if isinstance(given, ast.Name):
        given = meant(given.id, within(tree, call))
    parts = united(given)
    if not all(isinstance(part, ast.Dict) for part in parts):
        return WORDS
    keys = [key for part in parts for key in part.keys]
    if not all(isinstance(key, ast.Constant) for key in keys):
        return WORDS
    return {key.value for key in keys} & WORDS


def within(tree, call):
    """Return the innermost function that a call stands in."""
    found = tree
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(inner is call for inner in ast.walk(node)):
            found = node
    return found


def meant(variable, scope):
    """Return what a variable is made as; None where it is changed afterwards."""
    made = []
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if ast.unparse(target) == variable:
                made.append(node.value)
            elif isinstance(target, ast.Subscript) and ast.unparse(target.value) == variable:
                made.append(None)
        elif isinstance(node, ast.AugAssign) and ast.unparse(node.target) == variable:
            made.append(None)
    return made[0] if len(made) == 1 else None


def united(value):
    """Return the parts of ``a | b``."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr):
        return [*united(value.left), *united(value.right)]
    return [value]


def test_only_the_gate_inserts_memories():
    for path in OUTSIDE_STORE:
        found = [node.lineno for node in calls(parsed(path), "insert")]
        assert name(path) in INSERTS or not found, f"{name(path)}: use Gate.insert in lines {found}"


def test_only_the_gate_gives_memories_other_words():
    for path in OUTSIDE_STORE:
        tree = parsed(path)
        found = [n.lineno for n in calls(tree, "update") if wording(called(tree, n), tree)]
        assert name(path) in UPDATES or not found, f"{name(path)}: use Gate.update in lines {found}"


def test_only_a_few_modules_write_the_table():
    writes = re.compile(
        r"(?i)\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|update)\s+\"?memories\b"
    )
    for path in FILES:
        written = writes.search(path.read_text("utf-8"))
        assert name(path) in TABLE or not written, f"{name(path)}: {written}"


def test_rows_are_restored_from_signed_exports_only():
    restores = re.compile(r"\barchive\w*\.restore\(|\bdef restore\(self, table")
    for path in FILES:
        restored = restores.search(path.read_text("utf-8"))
        assert name(path) in RESTORES or not restored, f"{name(path)}: {restored}"


def test_the_named_exceptions_are_there():
    for path in {*INSERTS, *UPDATES, *TABLE, *RESTORES}:
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize(
    ("source", "method", "caught"),
    [
        ("m = Memories(v)\nm.insert(a, (), n)", "insert", True),
        ("Memories(v).insert(a, (), n)", "insert", True),
        ("a, b = X(v), Memories(v)\nb.insert(a, (), n)", "insert", True),
        ("def f(rows: Memories):\n    rows.insert(a, (), n)", "insert", True),
        ("self._rows = store.memories\nself._rows.insert(a, (), n)", "insert", True),
        ("a, b = s.x, self._store.memories\nb.insert(a, (), n)", "insert", True),
        ("keep = self._memories.insert", "insert", True),
        ("names.insert(0, a)", "insert", False),
        ("self._memories.update(i, {'text': t}, n)", "update", True),
        ("self._memories.update(i, {'status': s}, n)", "update", False),
        ("self._memories.update(i, fields, n)", "update", True),
        ("f = {'status': s}\nself._memories.update(i, f, n)", "update", False),
        ("f = {'status': s}\nf['text'] = t\nself._memories.update(i, f, n)", "update", True),
        ("f = {'a': 1} | {'text': t}\nself._memories.update(i, f, n)", "update", True),
        ("f = {'a': 1}\nf |= g\nself._memories.update(i, f, n)", "update", True),
        ("self._memories.update(i, dict(f), n)", "update", True),
        ("self._memories.update(i, {**f}, n)", "update", True),
    ],
)
def test_these_tests_see_what_goes_round(source, method, caught):
    tree = ast.parse(source)
    found = list(calls(tree, method))
    if method == "update":
        found = [n for n in found if wording(called(tree, n), tree)]
    assert bool(found) is caught
