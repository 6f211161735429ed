"""Everything that looks as if it could be pressed does something."""

import ast
import re
from pathlib import Path

from PySide6.QtCore import SIGNAL, QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QPushButton, QToolButton

from app.domain.reply import NEEDS_MODEL

APP = Path(__file__).parents[2] / "app"
SIGNALS = ("clicked()", "clicked(bool)", "toggled(bool)", "pressed()", "released()")
SCREENS = ("chat", "memory", "timeline", "attention", "activity", "models", "settings")
EMPHASISED = re.compile(r"(?<![\w*\\])\*{1,2}[A-Z][A-Za-z ’']*\*{1,2}(?![\w*])")


def is_dead(button):
    """Return whether pressing a button tells nobody."""
    if button.objectName().startswith("qt_") or isinstance(button, QToolButton):
        return False  # Qt's own, inside its fields and views
    if isinstance(button, QPushButton) and button.menu() is not None:
        return False
    if button.group() is not None:
        return False
    return not any(button.receivers(SIGNAL(signal)) for signal in SIGNALS)


def visit(qtbot, workspace, name):
    workspace.show_screen(name)
    pane = workspace.screens.screen_named(name).pane
    qtbot.waitUntil(lambda: workspace.screens.currentWidget() is pane)
    return pane


def test_every_button_of_every_screen_does_something(qtbot, workspace):
    for name in SCREENS:
        pane = visit(qtbot, workspace, name)
        for page in list(pane._buttons) if name == "settings" else ():
            pane.show_page(page)
    buttons = workspace.findChildren(QAbstractButton)
    assert len(buttons) > 80
    assert [each.objectName() for each in buttons if is_dead(each)] == []


def said(tree):
    """Yield the string constants of a module that are no docstrings."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    first = [node.body[0] for node in ast.walk(tree) if isinstance(node, kinds) and node.body]
    documents = {id(each.value) for each in first if isinstance(each, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in documents:
            yield str(node.value)


def test_no_words_only_look_like_a_control():
    texts = (
        (path.name, text)
        for path in sorted(APP.rglob("*.py"))
        for text in said(ast.parse(path.read_text(encoding="utf-8")))
    )
    assert [found for found in texts if EMPHASISED.search(found[1])] == []


def press_link(view, word):
    """Click a word of a text, where it is drawn."""
    start = view.toPlainText().index(word)
    cursor = QTextCursor(view.document())
    cursor.setPosition(start + len(word) // 2)
    where = view.cursorRect(cursor).center() + QPoint(1, 0)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=where)


def test_without_a_model_the_answer_leads_to_the_models(qtbot, workspace, bridge, off_gui):
    chat = workspace.screens.screen_named("chat")
    field = chat.pane.composer.text
    field.setFocus()
    QTest.keyClicks(field, "Write me a poem about the autumn, please.")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(chat.pane.transcript.views) == 2, timeout=20_000)
    answer = chat.pane.transcript.views[-1]
    qtbot.waitUntil(lambda: answer.plain_text() == NEEDS_MODEL, timeout=20_000)
    qtbot.waitUntil(lambda: not bridge._handlers, timeout=20_000)
    messages = off_gui(lambda: chat._services.conversations.messages(chat._page.id))
    assert messages[-1].text == NEEDS_MODEL
    qtbot.waitUntil(lambda: "](" in answer.body.source)
    press_link(answer.body.text_views()[0], "Models")
    models = workspace.screens.screen_named("models").pane
    qtbot.waitUntil(lambda: workspace.screens.currentWidget() is models)
