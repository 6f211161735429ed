"""The window itself: one page at a time, a size that is remembered, and its title."""

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from app import APP_NAME
from app.gui.theme import Theme
from app.gui.widgets import named

SIZE = (1280, 820)
SMALLEST = (720, 480)
SETTLE_MS = 600


class MainWindow(QMainWindow):
    """Holds first run, the workspace, or the page that asks to unlock.

    Signals:
        arranged: The person moved or resized the window.
                  arg 0: where it is now, such as ``1280x820+40+30`` or ``maximized``
        closing: The person wants to leave.
    """

    arranged = Signal(str)
    closing = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setAccessibleName(APP_NAME)
        self.setWindowTitle(APP_NAME)
        self.setMinimumSize(*SMALLEST)
        self._leaving = False
        self._pages = named(QStackedWidget(), "pages")
        self.setCentralWidget(self._pages)
        self._pages.addWidget(_blank(theme))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE_MS)
        self._timer.timeout.connect(lambda: self.arranged.emit(self.arrangement))

    @property
    def page(self) -> QWidget:
        """The page that is shown."""
        return self._pages.currentWidget()

    def show_page(self, page: QWidget) -> None:
        """Show a page in place of the one before, which is deleted."""
        before = self._pages.currentWidget()
        self._pages.addWidget(page)
        self._pages.setCurrentWidget(page)
        self._pages.removeWidget(before)
        before.hide()
        before.deleteLater()

    def name_profile(self, name: str) -> None:
        """Say in the title whose vault is open."""
        self.setWindowTitle(f"{name} – {APP_NAME}" if name else APP_NAME)

    @property
    def arrangement(self) -> str:
        """Where the window is, in one word."""
        if self.isMaximized():
            return "maximized"
        at = self.geometry()
        return f"{at.width()}x{at.height()}+{at.x()}+{at.y()}"

    def arrange(self, arrangement: str) -> None:
        """Put the window where it was; where that is on no screen, take the usual size."""
        self.resize(*SIZE)
        if arrangement == "maximized":
            self.setWindowState(Qt.WindowState.WindowMaximized)
            return
        rect = parsed(arrangement)
        screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
        if rect is not None and any(screen.contains(rect.center()) for screen in screens):
            self.setGeometry(rect)
        elif screens:
            room = screens[0].size()
            self.resize(self.size().boundedTo(room))

    def come_forward(self) -> None:
        """Show the window in front of others."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def leave(self) -> None:
        """Close without asking anybody once more."""
        self._leaving = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Let the application put everything away first."""
        if self._leaving:
            event.accept()
            return
        event.ignore()
        self.closing.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Remember the size once it rests."""
        super().resizeEvent(event)
        self._timer.start()

    def moveEvent(self, event: QMoveEvent) -> None:
        """Remember the place once it rests."""
        super().moveEvent(event)
        self._timer.start()


def parsed(arrangement: str) -> QRect | None:
    """Return the rectangle of an arrangement such as ``1280x820+40+30``, or None."""
    try:
        size, x, y = arrangement.split("+")
        width, height = size.split("x")
        return QRect(int(x), int(y), int(width), int(height))
    except ValueError:
        return None


def _blank(theme: Theme) -> QWidget:
    page = named(QWidget(), "opening_page", "Opening")
    picture = named(QLabel(), "opening_mark", APP_NAME)
    picture.setPixmap(theme.mark(40, page.devicePixelRatioF()))
    column = QVBoxLayout(page)
    column.addWidget(picture, 0, Qt.AlignmentFlag.AlignCenter)
    return page
