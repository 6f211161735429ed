"""What holds for every screen: it fits, its widgets are named, and nothing flashes up."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QScrollBar, QWidget

from app.gui.profiles.pages import ProblemPage, UnlockPage


def visit(qtbot, workspace, name):
    workspace.show_screen(name)
    pane = workspace.screens.screen_named(name).pane
    qtbot.waitUntil(lambda: workspace.screens.currentWidget() is pane)


class Windows(QObject):
    """Notes every window that appears."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def eventFilter(self, watched, event):
        shown = event.type() == QEvent.Type.Show and isinstance(watched, QWidget)
        if shown and watched.isWindow():
            self.seen.append(watched.objectName() or type(watched).__name__)
        return False


def test_nothing_flashes_up_as_a_window_of_its_own(qtbot, start, welcomed, qapp):
    windows = Windows()
    qapp.installEventFilter(windows)
    try:
        application, _ = start()
        workspace = application.window.page
        for name in ("memory", "timeline", "attention", "activity", "models", "settings", "chat"):
            visit(qtbot, workspace, name)
        pane = workspace.screens.screen_named("settings").pane
        for page in list(pane._buttons):
            pane.show_page(page)
        pane.search.setText("memories")
        qtbot.waitUntil(lambda: pane._found is not None)
        qtbot.wait(50)
    finally:
        qapp.removeEventFilter(windows)
    assert windows.seen == ["main_window"]


def test_every_screen_fits_900_by_600_and_right_to_left(qtbot, workspace):
    window = workspace.window()
    for direction in (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft):
        window.setLayoutDirection(direction)
        for name in ("chat", "memory", "timeline", "attention", "activity", "models", "settings"):
            visit(qtbot, workspace, name)
            window.resize(900, 600)
            assert window.minimumSizeHint().width() <= 900
            assert window.minimumSizeHint().height() <= 600
            assert not window.grab().isNull()


def named_badly(root):
    """Return widgets of ours without an object name, and controls without a spoken one."""
    bad = []
    for widget in root.findChildren(QWidget):
        name = widget.objectName()
        inner = name.startswith("qt_") or isinstance(widget, QScrollBar)
        parent = widget.parentWidget()
        while parent is not None and not inner:
            inner = parent.objectName().startswith("qt_") and not parent.objectName().startswith(
                "qt_scrollarea_viewport"
            )
            parent = parent.parentWidget()
        if inner or type(widget).__name__ in {"QComboBoxPrivateContainer", "QCornerButton"}:
            continue
        if not name and type(widget).__module__.startswith("PySide6"):
            parent_name = widget.parentWidget().objectName() if widget.parentWidget() else ""
            if type(widget).__name__ in {
                "QWidget",
                "QFrame",
                "QAbstractButton",
                "QTableCornerButton",
            }:
                continue  # made by Qt inside its own views
            bad.append(f"{type(widget).__name__} in {parent_name}")
        elif not name:
            bad.append(f"{type(widget).__name__} has no name")
        takes_keys = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        says = widget.accessibleName() or (isinstance(widget, QLabel) and widget.text())
        control = isinstance(widget, QAbstractButton) or takes_keys
        if control and not widget.isHidden() and not says:
            bad.append(f"{name} says nothing")
    return bad


def test_every_widget_has_a_name_and_every_control_a_spoken_one(qtbot, workspace):
    qtbot.waitUntil(lambda: workspace.sidebar.pane.profile_button.text() != "")
    for name in ("memory", "timeline", "attention", "activity", "models", "settings", "chat"):
        visit(qtbot, workspace, name)
    pane = workspace.screens.screen_named("settings").pane
    for page in list(pane._buttons):
        pane.show_page(page)
    bad = named_badly(workspace.window())
    assert bad == [], "\n".join(bad)


def test_the_pages_before_the_workspace_are_named_too(qtbot, start, theme):
    from app.errors import VaultCorrupt

    application, _ = start()
    bad = named_badly(application.window)
    assert bad == [], "\n".join(bad)
    for page in (
        UnlockPage(theme, "Work", "x"),
        ProblemPage(theme, VaultCorrupt("x"), [], []),
    ):
        qtbot.addWidget(page)
        assert named_badly(page) == []
