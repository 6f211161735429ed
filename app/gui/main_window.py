"""The window itself: one page at a time, a size that is remembered, and its title."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QMoveEvent, QResizeEvent
from PySide6.QtWidgets import (
    QLabel,
    QMainWindow,
    QProgressBar,
    QStackedWidget,
    QWidget,
)

from app import APP_NAME
from app.domain.jobs.progress import Progress
from app.domain.language.text import shown
from app.gui.theme import Theme
from app.gui.timers import timer
from app.gui.widgets import Label, named, vbox
from app.gui.widgets.filling import drop

SIZE = (1280, 820)
SMALLEST = (720, 480)
FRAME = QSize(16, 40)  # about what a window manager draws around a window
SETTLE_MS = 600
BAR, PERCENT = 280, 100


class MainWindow(QMainWindow):
    """Holds first run, the workspace, or the page that asks to unlock."""

    # the person moved or resized the window: where it is now, such as ``1280x820+40+30`` or
    # ``maximized``
    arranged = Signal(str)
    closing = Signal()  # the person wants to leave

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "main_window", APP_NAME)
        self.setWindowTitle(APP_NAME)
        self._theme = theme
        self._leaving = False
        self._pages = named(QStackedWidget(), "pages")
        self.setCentralWidget(self._pages)
        self._pages.addWidget(OpeningPage(theme))
        self._timer = timer(self, SETTLE_MS, lambda: self.arranged.emit(self.arrangement))
        theme.changed.connect(self._fit)
        self._fit()

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
        drop(before)

    def show_opening(self, progress: Progress) -> "OpeningPage":
        """Show how far the opening of a profile is, and return the page that does."""
        page = self.page
        if not isinstance(page, OpeningPage):
            page = OpeningPage(self._theme)
            self.show_page(page)
        page.show_progress(progress)
        return page

    def name_profile(self, name: str) -> None:
        """Say in the title whose vault is open."""
        self.setWindowTitle(f"{shown(name)} – {APP_NAME}" if name else APP_NAME)

    @property
    def arrangement(self) -> str:
        """Where the window is, in one word."""
        if self.isMaximized():
            return "maximized"
        at = self.geometry()
        return f"{at.width()}x{at.height()}+{at.x()}+{at.y()}"

    def arrange(self, arrangement: str) -> None:
        """Put the window where it was; where that is on no screen, take the usual size.

        It is never larger than its screen, which may be another than before, or scaled otherwise.
        """
        rooms = [screen.availableGeometry() for screen in QGuiApplication.screens()]
        self.resize(QSize(*SIZE).boundedTo(rooms[0].size() - FRAME))
        if arrangement == "maximized":
            self.setWindowState(Qt.WindowState.WindowMaximized)
            return
        rect = parsed(arrangement)
        room = next((r for r in rooms if rect is not None and r.contains(rect.center())), None)
        if rect is not None and room is not None:
            self.setGeometry(within(rect, room))

    def _fit(self) -> None:
        """Allow no size at which words would be cut, and none that the screen has no room for."""
        room = self.screen().availableGeometry()
        wanted = QSize(*(self._theme.px(side) for side in SMALLEST))
        self.setMinimumSize(wanted.boundedTo(room.size() - FRAME))
        if self.isVisible() and not self.isMaximized() and not self.isFullScreen():
            self.setGeometry(within(self.geometry(), room))

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
    except (ValueError, OverflowError):
        return None


def within(rect: QRect, room: QRect) -> QRect:
    """Return a rectangle made so small and moved so far that it lies within another."""
    size = rect.size().boundedTo(room.size())
    last = room.bottomRight() - QPoint(size.width() - 1, size.height() - 1)
    left = max(room.left(), min(rect.left(), last.x()))
    top = max(room.top(), min(rect.top(), last.y()))
    return QRect(QPoint(left, top), size)


class OpeningPage(QWidget):
    """What the window shows until a profile is open: the mark, and how far it is if that is long.

    It has no button: closing the window stops the work, which goes on at the next opening.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "opening_page", "Opening")
        picture = named(QLabel(), "opening_mark", APP_NAME)
        picture.setPixmap(theme.mark(40, self.devicePixelRatioF()))
        self.words = Label("", "secondary", name="opening_words")
        self.bar = named(QProgressBar(), "opening_bar", "Progress")
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(theme.px(BAR))
        column = vbox(..., of=self, spacing=12)
        for widget in (picture, self.words, self.bar):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignCenter)
        column.addStretch(1)
        self.words.hide()
        self.bar.hide()

    def show_progress(self, progress: Progress) -> None:
        """Show one step of the work."""
        share = PERCENT * progress.done // progress.total if progress.total else 0
        self.words.setText(f"{progress.label}… {share}%")
        self.bar.setRange(0, PERCENT)  # counts may be larger than Qt's numbers
        self.bar.setValue(share)
        self.words.show()
        self.bar.show()
