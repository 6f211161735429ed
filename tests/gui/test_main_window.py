"""The frame of the window: its size, its page, and closing."""

from PySide6.QtWidgets import QWidget

from app.domain.jobs.progress import Progress
from app.gui.main_window import MainWindow, OpeningPage, parsed


def test_an_arrangement_is_read_back():
    assert parsed("1280x820+40+-30").getRect() == (40, -30, 1280, 820)
    for broken in ("", "maximized", "1280x820", "axb+1+2", "1x2+3+4+5"):
        assert parsed(broken) is None


def test_the_window_takes_its_size_again_where_there_is_a_screen_for_it(qtbot, theme):
    window = MainWindow(theme)
    qtbot.addWidget(window)
    window.arrange("760x500+10+20")
    assert window.arrangement == "760x500+10+20"
    window.arrange("760x500+99999+20")
    assert window.geometry().x() < 9999
    window.arrange("maximized")
    assert window.isMaximized()


def test_closing_asks_and_leaving_does_not(qtbot, theme):
    window = MainWindow(theme)
    qtbot.addWidget(window)
    window.show()
    with qtbot.waitSignal(window.closing):
        window.close()
    assert window.isVisible()
    window.leave()
    assert not window.isVisible()


def test_a_page_replaces_the_one_before(qtbot, theme):
    window = MainWindow(theme)
    qtbot.addWidget(window)
    first, second = QWidget(), QWidget()
    window.show_page(first)
    window.show_page(second)
    assert window.page is second
    with qtbot.waitSignal(first.destroyed):
        pass


def test_an_opening_that_takes_long_says_how_far_it_is(qtbot, theme):
    window = MainWindow(theme)
    qtbot.addWidget(window)
    window.show()
    page = window.page
    assert isinstance(page, OpeningPage)
    assert not page.words.isVisible()
    assert window.show_opening(Progress("Sealing", 3 * 2**40, 2**42)) is page
    assert page.words.text() == "Sealing… 75%"
    assert page.bar.isVisible()
    assert page.bar.value() == 75
    window.show_page(QWidget())
    other = window.show_opening(Progress("Sealing"))
    assert window.page is other
    assert other.words.text() == "Sealing… 0%"
