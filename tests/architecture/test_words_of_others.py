"""Words that may be anybody's reach terminal and window through one module each."""

import ast

from tests.architecture.sources import FILES, name, nodes

OUTPUT = "app/cli/output.py"
PRINTS = {"echo", "secho", "prompt", "confirm", "echo_via_pager", "progressbar"}  # of click
STREAMS = {"sys.stdout", "sys.stderr", "sys.__stdout__", "sys.__stderr__"}


def test_nothing_prints_but_the_one_way_out():
    for path in FILES:
        if name(path) != OUTPUT:
            found = [f"line {node.lineno}: {ast.unparse(node)}" for node in printing(path)]
            assert not found, f"{name(path)}: {found}"


def printing(path):
    """Yield what a module prints with."""
    for node in nodes(path):
        if isinstance(node, ast.Name) and node.id == "print":
            yield node
        if isinstance(node, ast.Attribute):
            if node.attr in PRINTS and ast.unparse(node.value) == "click":
                yield node
            if node.attr.startswith("write"):
                owner = ast.unparse(node.value)
                if owner.removesuffix(".buffer") in STREAMS:
                    yield node


# What a widget shows that is not plain text by itself → the place of the words among what it takes.
SHOWS = {
    "setToolTip": 0,
    "setStatusTip": 0,
    "setWhatsThis": 0,
    "setWindowTitle": 0,
    "setTabText": 1,
    "addTab": 1,
    "addMenu": 0,
    "addSection": 0,
    "addAction": 0,
    "addItem": 0,
    "addItems": 0,
    "insertItem": 1,
    "setItemText": 1,
    "showText": 1,
    "setHtml": 0,
    "insertHtml": 0,
    "QAction": 0,
    "QLabel": 0,
    "QGroupBox": 0,
    "QRadioButton": 0,
}
WRITES = {"drawText": -1, "insertText": 0}
COMPOSER = "app/gui/chat/composer/field.py"  # what stands there is what is sent, as it is
CLEANS = {"tip", "caption", "shown"}
WIDGETS = {"action", "picture", "parent", "self", "menu", "window"}  # which are no words
FOREIGN = "app/gui/widgets/foreign.py"
GUI = [f for f in FILES if name(f).startswith("app/gui/") and name(f) != FOREIGN]


def calls(path):
    """Yield every call in a module, with the name of what is called."""
    for node in nodes(path):
        if isinstance(node, ast.Call):
            yield node, ast.unparse(node.func).split(".")[-1]


def is_ours(node, told=frozenset()):
    """Say whether an expression holds nothing but our own words, or cleans what it holds."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Name | ast.Attribute):
        last = node.id if isinstance(node, ast.Name) else node.attr
        return last.isupper() or last.lstrip("_").isupper() or last in WIDGETS | told
    if isinstance(node, ast.IfExp):
        return is_ours(node.body, told) and is_ours(node.orelse, told)
    if isinstance(node, ast.JoinedStr):
        return all(is_ours(part, told) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return is_ours(node.value, told)
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func).split(".")[-1]
        if called == "elidedText":
            return is_ours(node.args[0], told)
        return called in CLEANS or called == "shown_keys"
    return False


def cleaned(path):
    """Return the names that a module gives to nothing but what is ours or was cleaned."""
    given = {}
    for node in nodes(path):
        if isinstance(node, ast.Assign | ast.NamedExpr):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                given.setdefault(ast.unparse(target), []).append(node.value)
    return frozenset(n for n, values in given.items() if all(map(is_ours, values)))


def test_no_tool_tip_menu_or_title_shows_words_as_they_came():
    for path in GUI:
        told = cleaned(path)
        for node, called in calls(path):
            at = SHOWS.get(called)
            if at is not None and at < len(node.args):
                where = f"{name(path)}, line {node.lineno}: {ast.unparse(node)}"
                assert is_ours(node.args[at], told), where


def test_nothing_is_drawn_or_written_into_a_text_as_it_came():
    for path in GUI:
        if name(path) != COMPOSER:
            told = cleaned(path)
            for node, called in calls(path):
                if called in WRITES:
                    where = f"{name(path)}, line {node.lineno}"
                    assert is_ours(node.args[WRITES[called]], told), where


def test_only_one_function_makes_a_label_of_rich_text():
    for path in GUI:
        for node, called in calls(path):
            if called == "setTextFormat":
                where = f"{name(path)}, line {node.lineno}"
                assert ast.unparse(node.args[0]) == "Qt.TextFormat.PlainText", where


def test_a_model_gives_no_tool_tip_as_it_came():
    """What tells a tool tip to a view cleans it."""
    for path in GUI:
        tellers = {
            ast.unparse(value)
            for node in nodes(path)
            if isinstance(node, ast.Dict)
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None and ast.unparse(key).endswith("ToolTipRole")
        }
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef) and node.name in tellers:
                cleans = any(isinstance(n, ast.Name) and n.id == "tip" for n in ast.walk(node))
                assert cleans, f"{name(path)}: {node.name}"
