"""How an answer is drawn, selected and copied; what it never loads."""

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QTextDocument

from app.gui.chat.cards.link_card import LinkCard
from app.gui.chat.text.body import AnswerBody
from app.gui.chat.text.code import CodeView
from app.gui.chat.text.highlight import spans
from app.gui.chat.text.view import TextView

TEXT = """Salmon[1] with **dill**.

- one
- two

```python
def f(x):
    return x + 1  # why not 😀
```

> quoted

| a | b |
|---|---|
| 1 | 2 |

After.
"""


class Beats:
    """Stands in for the pacer: the test decides when the window repaints."""

    def __init__(self, action, _later):
        self.action = action
        self.asked = 0

    def ask(self):
        self.asked += 1

    def cancel(self):
        self.asked = 0


@pytest.fixture
def body(qtbot, theme):
    made = AnswerBody(theme, pacer=Beats)
    qtbot.addWidget(made)
    made.fit(600)
    made.show()
    return made


def settled(qtbot, body):
    qtbot.waitUntil(lambda: not body.busy, timeout=10_000)


def shown(body):
    return "\n".join(view.toPlainText() for view in body.text_views())


def test_marks_that_are_set_at_the_end_are_shown(qtbot, body):
    body.begin(1)
    body.append("You cannot eat walnuts. Else, all.")
    body.set_text("You cannot eat walnuts [1]. Else, all.", 1)
    settled(qtbot, body)
    assert shown(body) == "You cannot eat walnuts1. Else, all."


def test_a_whole_text_is_shown(qtbot, body):
    body.set_text(TEXT, 1)
    settled(qtbot, body)
    words = shown(body)
    for piece in ("Salmon1 with dill.", "•\tone", "def f(x):", "quoted", "After."):
        assert piece in words
    assert "**" not in words


def test_pieces_show_at_the_beat_not_before(qtbot, body):
    body.begin(1)
    for word in TEXT.split(" "):
        body.append(word + " ")
    assert shown(body) == ""
    assert body._pacer.asked > 10
    body._pacer.action()
    settled(qtbot, body)
    assert "Salmon1" in shown(body)


def test_only_the_open_block_is_drawn_again(qtbot, body):
    body.begin(0)
    body.append("First paragraph.\n\n```py\nx = 1\n```\n\nThird par")
    body._pacer.action()
    settled(qtbot, body)
    before = body.text_views()
    touched = []
    for view in before:
        view.document().contentsChange.connect(lambda *_, view=view: touched.append(view))
    body.append("agraph grows")
    body._pacer.action()
    settled(qtbot, body)
    assert body.text_views() == before
    assert touched
    assert set(touched) == {before[-1]}
    assert before[-1].toPlainText() == "Third paragraph grows"


def test_what_streams_ends_as_what_is_kept(qtbot, body, theme):
    body.begin(1)
    for start in range(0, len(TEXT), 7):
        body.append(TEXT[start : start + 7])
        body._pacer.action()
        settled(qtbot, body)
    body.set_text(TEXT, 1)
    settled(qtbot, body)
    other = AnswerBody(theme, pacer=Beats)
    qtbot.addWidget(other)
    other.fit(600)
    other.set_text(TEXT, 1)
    settled(qtbot, other)
    assert shown(body) == shown(other)
    assert len(body.text_views()) == len(other.text_views())


def test_nothing_is_lost_where_the_end_comes_while_a_piece_is_drawn(qtbot, body):
    text = "".join(f"Paragraph {n}.\n\n" for n in range(60))
    body.begin(0)
    body.append(text[:500])
    steps = body._steps()
    next(steps)
    body.append(text[500:])
    body.set_text(text, 0)
    settled(qtbot, body)
    assert shown(body).split("\n") == [f"Paragraph {n}." for n in range(60)]


def test_words_that_come_while_a_piece_is_drawn_are_drawn_next(qtbot, body):
    body.begin(0)
    body.append("one ")
    steps = body._steps()
    next(steps)
    body.append("two")
    body._slices.start(steps)
    settled(qtbot, body)
    assert body._pacer.asked == 3
    body._pacer.action()
    settled(qtbot, body)
    assert shown(body) == "one two"


def test_code_can_be_copied_whole(qtbot, body):
    body.set_text(TEXT, 1)
    settled(qtbot, body)
    (code,) = body.code_views()
    code.copy_button.click()
    assert QGuiApplication.clipboard().text() == "def f(x):\n    return x + 1  # why not 😀"
    assert code.copy_button.text() == "copied"


def test_code_is_coloured_from_the_theme(qtbot, body, theme):
    body.set_text(TEXT, 1)
    settled(qtbot, body)
    view = body.code_views()[0].view
    formats = view.document().firstBlock().layout().formats()
    assert formats[0].format.foreground().color() == theme.colour("syntax-keyword")
    comment = view.document().lastBlock().layout().formats()[-1]
    text = view.document().lastBlock().text().encode("utf-16-le")
    covered = text[comment.start * 2 : (comment.start + comment.length) * 2].decode("utf-16-le")
    assert covered == "# why not 😀"


def test_long_lines_of_code_scroll_sideways(qtbot, theme):
    from app.gui.chat.text.style import TextStyle

    code = CodeView(TextStyle(theme), "")
    qtbot.addWidget(code)
    code.fit(300)
    code.draw("short", "")
    short = code.view.height()
    code.draw(" and very long indeed" * 20, "")
    assert code.view.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOn
    assert code.view.width() < 300 < code.view.natural_width()
    assert code.view.height() > short
    assert code.view.document().blockCount() == 1


def test_highlighting_loses_no_character():
    for language in ("python", "c++", "no-such-language", ""):
        code = "int x = 1; // \u00e9\n\tif (x) { return '😀'; }"
        assert "".join(span.text for span in spans(code, language)) == code


def test_a_text_is_selected_across_its_pieces(qtbot, body):
    body.set_text("First words.\n\n```\ncode\n```\n\nLast words.", 0)
    settled(qtbot, body)
    first, code, last = body.text_views()
    qtbot.mousePress(first.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(0, 4))
    where = last.viewport().mapToGlobal(QPoint(35, 8))
    assert body.selection._on_dragged(where)
    assert first.selected_text() == "First words."
    assert code.selected_text() == "code"
    assert last.selected_text()
    assert last.selected_text() in "Last words."
    qtbot.keyClick(first, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("First words.\n\ncode\n\nL")
    qtbot.mousePress(code.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert first.selected_text() == last.selected_text() == ""


def test_select_all_takes_the_whole_message(qtbot, body):
    body.set_text("First.\n\n```\ncode\n```\n\nLast.", 0)
    settled(qtbot, body)
    qtbot.keyClick(body.text_views()[0], Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert body.selection.text() == "First.\n\ncode\n\nLast."


def test_nothing_is_ever_loaded(qtbot, tmp_path):
    view = TextView("x")
    qtbot.addWidget(view)
    for address in ("file:///etc/passwd", "http://a.example/x.png", "data:image/png;base64,AA"):
        for kind in (QTextDocument.ResourceType.ImageResource, 3):
            assert view.loadResource(int(getattr(kind, "value", kind)), QUrl(address)) is None


def test_a_number_and_a_link_say_what_was_clicked(qtbot, body):
    body.set_text("x [1] and [site](https://a.example/)", 1)
    settled(qtbot, body)
    (view,) = body.text_views()
    spots = {}
    for x in range(0, view.width(), 2):
        if href := view.anchorAt(QPoint(x, 10)):
            spots.setdefault(href, QPoint(x + 1, 10))
    with qtbot.waitSignal(body.citation_clicked) as cited:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spots["cite:1"])
    assert cited.args[0] == 1
    with qtbot.waitSignal(body.link_clicked) as link:
        qtbot.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, pos=spots["https://a.example/"]
        )
    assert link.args[0] == "https://a.example/"


def test_an_address_is_shown_whole_and_opened_only_on_request(qtbot, theme, body):
    card = LinkCard(theme, body)
    address = "https://a.example/a/long/path?with=query"
    card.ask(address, QPoint(10, 10))
    assert card.isVisible()
    assert card._address.text().replace("\u200b", "") == address
    with qtbot.waitSignal(card.opened) as opened:
        card.open_button.click()
    assert opened.args == [address]
    card.ask("file:///etc/passwd", QPoint(10, 10))
    assert not card.isVisible()


@pytest.mark.parametrize(
    "text",
    [
        "A paragraph with **some** words.\n\n" * 2_000,
        "word " * 20_000,
        "- an item with `code`\n" * 4_000,
        "```python\n" + "x = 1  # words\n" * 6_000 + "```",
        "x" * 60_000,
    ],
)
def test_a_huge_answer_is_drawn_in_small_steps(qtbot, body, text):
    steps, done = 0, body._reader
    body.begin(0)
    body._reader.feed(text)
    body._reader.finished = True
    for _ in body._steps():
        steps += 1
    assert done is not body._reader
    assert steps >= len(text) // 10_000
    assert sum(len(view.toPlainText()) for view in body.text_views()) > len(text) // 2
