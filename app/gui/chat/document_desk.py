"""What a person does with files in the chat: attach them, stop that, and read what was sent."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.domain.conversation import Part
from app.domain.jobs.operation import Operation
from app.errors import Cancelled
from app.gui.bridge import Bridge, WorkQueue
from app.gui.chat.composer.chip import AttachmentChip
from app.gui.chat.document_sheet import DocumentSheet
from app.gui.chat.pane import ChatPane
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.services.services import Services

PASTED = "Pasted text"
NOT_READ = "“{}” could not be read."
NOT_SHOWN = "It cannot be shown."


class DocumentDesk(QObject):
    """Connects the files of composer and conversation with the documents."""

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        pane: ChatPane,
        theme: Theme,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._services, self._bridge = services, bridge
        self._pane, self._theme = pane, theme
        self._composer = pane.composer
        self._composer.files_chosen.connect(self._on_files_chosen)
        self._composer.text_pasted.connect(self._on_text_pasted)
        pane.intents.open_file.connect(self._on_open_file)

    def _on_files_chosen(self, paths: Sequence[Path]) -> None:
        for path in paths:
            self._read(path.name, partial(self._services.documents.reading, path))

    def _on_text_pasted(self, text: str) -> None:
        def kept() -> Operation:
            yield from ()
            return self._services.documents.pasted(PASTED, text)

        self._read(PASTED, kept)

    def _read(self, name: str, read: Callable[[], Operation]) -> None:
        chip = self._composer.files.begin(name)
        ticket = self._bridge.submit(
            lambda _cancelled: read(),
            on_event=chip.show_progress,
            on_result=partial(self._composer.files.end, chip),
            on_error=partial(self._on_not_read, chip, name),
            lane=WorkQueue.DESK,
        )
        chip.stop = ticket.cancel

    def _on_not_read(self, chip: AttachmentChip, name: str, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self._composer.files.fail(chip, self._bridge.told(error, NOT_READ.format(name)))

    def _on_open_file(self, part: Part, conversation_id: str) -> None:
        sheet = DocumentSheet(self._theme, self._pane.window(), part)
        sheet.open()
        if part.document is None:
            sheet.show_pages([(1, part.text)])
            return
        self._bridge.run(
            partial(self._services.documents.pages, part.document.id, conversation_id),
            sheet.show_pages,
            lambda error: sheet.show_failure(self._bridge.told(error, NOT_SHOWN)),
        )
