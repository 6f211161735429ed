"""A model file that is dropped on the window: taken anywhere on it, and only ever offered."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal, Slot
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFrame, QWidget

from app.domain.changes import Changes
from app.domain.model import ModelChoice
from app.gui.bridge import Bridge
from app.gui.widgets import Label, NoticeBar, vbox

if TYPE_CHECKING:
    from app.services.library import LibraryService

SUFFIX = ".gguf"
HINT = "Drop it to use this model"
HELP = "The file stays where it is. Nothing is loaded until you say so."
FAILED = "That file cannot be used."
MARGIN = 12
_ENTERS = (QEvent.Type.DragEnter, QEvent.Type.DragMove)


def model_file(source: QMimeData) -> Path | None:
    """Return the one model file that is dragged, or None where it is anything else."""
    urls = source.urls()
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    path = Path(urls[0].toLocalFile())
    return path if path.suffix.lower() == SUFFIX else None


class DropHint(QFrame):
    """What lies over the window while a model file is held over it."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self.setObjectName("drop_hint")
        self.setProperty("surface", "drop")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column = vbox(..., of=self, spacing=6)
        for text, role, name in ((HINT, "title", "drop_title"), (HELP, "muted", "drop_help")):
            column.addWidget(Label(text, role, name=name), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        self.hide()

    def cover(self) -> None:
        """Show it over all of the page."""
        page = self.parentWidget()
        if page is not None:
            self.setGeometry(page.rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN))
        self.show()
        self.raise_()


class ModelDrop(QObject):
    """Takes a model file that is dropped anywhere on a page which does not take it itself."""

    dropped = Signal(object)  # the Path of the file

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self.hint = DropHint(page)
        page.setAcceptDrops(True)
        page.installEventFilter(self)

    def eventFilter(self, _page: QObject, event: QEvent) -> bool:
        """Say what a drop would do, and take it."""
        if event.type() == QEvent.Type.Resize and self.hint.isVisible():
            self.hint.cover()
        if event.type() == QEvent.Type.DragLeave:
            self.hint.hide()
            return False
        if not isinstance(event, QDropEvent):  # entering and moving are such events too
            return False
        path = model_file(event.mimeData())
        if path is None:
            return False
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if event.type() in _ENTERS:
            self.hint.cover()
        else:
            self.hint.hide()
            self.dropped.emit(path)
        return True


class DroppedModel(QObject):
    """Says what a dropped file is, with a button that lets it answer."""

    def __init__(
        self, library: "LibraryService", bridge: Bridge, notice: NoticeBar, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._library, self._bridge, self._notice = library, bridge, notice
        self._drop = ModelDrop(parent)
        self._drop.dropped.connect(self._on_dropped)

    @Slot(object)
    def _on_dropped(self, path: Path) -> None:
        self._bridge.run(lambda: self._library.look_at(path), self._offer, self._on_failed)

    def _offer(self, choice: ModelChoice) -> None:
        tone = "warn" if choice.warning else "accent"
        said = " ".join(filter(None, (f"{choice.name}: {choice.detail}.", choice.warning)))
        self._notice.say(said, tone, "Use this model", lambda: self._use(choice))

    def _use(self, choice: ModelChoice) -> None:
        def used(_changes: Changes) -> None:
            self._notice.say(f"{choice.name} answers from now on.", "accent")

        self._bridge.run(lambda: self._library.choose_found(choice), used, self._on_failed)

    def _on_failed(self, error: Exception) -> None:
        self._notice.say(self._bridge.told(error, FAILED))
