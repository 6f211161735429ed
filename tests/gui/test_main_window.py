"""The frame of the window: its size, its page, and closing."""

from PySide6.QtWidgets import QWidget

from app.gui.main_window import MainWindow, parsed


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
