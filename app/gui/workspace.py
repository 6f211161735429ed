"""One open profile on the window: the sidebar, and the screens beside it."""

from collections.abc import Callable, Sequence
from itertools import chain
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from app import garbage
from app.domain.changes import Changes
from app.domain.conversation import Conversation
from app.domain.ids import Clock, utc_now
from app.domain.jobs.operation import Operation
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import Trigger
from app.gui import actions
from app.gui.background import BackgroundWork
from app.gui.bridge import Bridge, WorkQueue
from app.gui.dialogs import ShortcutSheet
from app.gui.dropping import DroppedModel
from app.gui.erasure.dialog import ErasureDialog
from app.gui.profiles.controller import ProfilesController
from app.gui.restriction import RestrictionBar
from app.gui.screens import CHAT, Screens, import_reader, others_imported
from app.gui.sidebar.controller import SidebarController
from app.gui.theme import USUAL_TEXT_SIZE, Theme
from app.gui.widgets import NoticeBar, hbox, named, vbox

if TYPE_CHECKING:
    from app.services.profiles import ProfilesService
    from app.services.services import Services

PAUSE_SECONDS = 0.05
FIRST_PICTURE_MS = 150  # until the window is drawn, the workers leave it the interpreter


class Workspace(QWidget):
    """Sidebar and screens, and the ways between them.

    Attributes:
        screens: The screens.
    """

    switch_requested = Signal(str)  # the slug of the profile to open instead
    erased_everything = Signal()  # the profile is gone
    put_away = Signal(object)  # a backup takes the vault's place; why that failed, or None
    quit_requested = Signal()  # the person wants to leave

    def __init__(
        self,
        services: "Services",
        profiles: "ProfilesService",
        bridge: Bridge,
        theme: Theme,
        clock: Clock = utc_now,
    ) -> None:
        super().__init__()
        named(self, "workspace", services.profile.name)
        self._services, self._bridge, self._theme = services, bridge, theme
        self.notice = NoticeBar(theme, "window_notice")
        self.restriction = RestrictionBar(services, bridge, theme)
        self._dropped = DroppedModel(services.library, bridge, self.notice, self)
        self.sidebar = SidebarController(services, bridge, theme, self, clock)
        self.profiles = ProfilesController(profiles, services.profile, bridge, theme, self)
        self.background = BackgroundWork(services, bridge, self)
        self.screens = Screens(services, profiles, bridge, theme, clock, self)
        self._lay_out()
        self._connect()
        actions.install(self, self._handlers())
        self.show_screen(CHAT)

    def start(self, noticed: Sequence[str] = ()) -> None:
        """Say what was noticed, read the lists, and once seen begin what waits."""
        if noticed:
            self.notice.say(" ".join(noticed))
        self.restriction.look()
        self.sidebar.refresh()
        self.profiles.refresh()
        self.screens.chat.focus_first()
        QTimer.singleShot(FIRST_PICTURE_MS, self, self._begin_work)

    def unsaved(self) -> Callable[[], object]:
        """Return what keeps words that were written last, to be called before the vault closes."""
        return self.screens.chat.unsaved()

    @Slot()
    def _begin_work(self) -> None:
        self._bridge.submit(self._prepare, lane=WorkQueue.DESK)
        self.background.start()
        self._bridge.run(self._services.tampering.look, self._on_looked)
        self.screens.chat.warm()

    def _prepare(self, closing: Event) -> Operation:
        """Import and build on this worker what nothing waited for so far.

        It pauses after every piece, so that the window need not share each moment with it.
        """
        yield from ()
        garbage.put_off()
        try:
            import_reader()
            for _ in chain(self._services.prepared(), others_imported()):
                if closing.wait(PAUSE_SECONDS):
                    break
        finally:
            garbage.settle()

    def _on_looked(self, changes: Changes) -> None:
        """Say what something else than Loci changed, found on the look after the first picture."""
        if changes.said:
            self.notice.say(" ".join(sorted(changes.said)))

    def _lay_out(self) -> None:
        right = vbox(self.restriction, self.notice, (self.screens, 1), spacing=0)
        hbox(self.sidebar.pane, (right, 1), of=self, margins=0, spacing=0)

    def _connect(self) -> None:
        pane = self.sidebar.pane
        pane.new_requested.connect(self._on_new_requested)
        pane.conversation_opened.connect(self._on_conversation_requested)
        pane.message_opened.connect(self._on_message_requested)
        pane.memory_opened.connect(self._on_memory_requested)
        pane.page_chosen.connect(self.show_screen)
        pane.profile_chosen.connect(self.profiles.choose)
        pane.profile_requested.connect(self.profiles.do)
        self.sidebar.erase_requested.connect(self._on_erase_requested)
        self.profiles.listed.connect(pane.show_profiles)
        self.profiles.switch_requested.connect(self.switch_requested)
        self.background.progressed.connect(self._on_work_progressed)
        self.background.told.connect(self.notice.say)
        screens = self.screens
        screens.opened.connect(self.sidebar.mark_open)
        screens.message_requested.connect(self._on_message_requested)
        screens.memory_requested.connect(self._on_memory_requested)
        screens.models_requested.connect(lambda: self.show_screen("models"))
        screens.settings_requested.connect(self._on_settings_requested)
        screens.elsewhere_requested.connect(self._on_elsewhere_requested)
        screens.reembed_requested.connect(self._on_reembed_requested)
        screens.stop_requested.connect(self.background.stop)
        screens.erased_everything.connect(self.erased_everything)
        screens.put_away.connect(self.put_away)
        self._bridge.changed.connect(self._on_changed)

    def _handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "conversation.new": self._on_new_requested,
            "search": self._on_search_requested,
            "show.chat": lambda: self.show_screen(CHAT),
            "show.memory": lambda: self.show_screen("memory"),
            "show.timeline": lambda: self.show_screen("timeline"),
            "show.attention": lambda: self.show_screen("attention"),
            "show.activity": lambda: self.show_screen("activity"),
            "show.models": lambda: self.show_screen("models"),
            "show.settings": lambda: self.show_screen("settings"),
            "memory.try": self._on_try_requested,
            "escape": self._on_escape_pressed,
            "text.larger": lambda: self._resize_text(self._theme.text_size + 1),
            "text.smaller": lambda: self._resize_text(self._theme.text_size - 1),
            "text.usual": lambda: self._resize_text(USUAL_TEXT_SIZE),
            "shortcuts": lambda: ShortcutSheet(self._theme, self).open(),
            "quit": self.quit_requested.emit,
        }

    # Screens.

    @Slot(str)
    def show_screen(self, name: str) -> None:
        """Show a screen by its name; one that is built now appears a turn later."""
        self.sidebar.show_page(name)
        self.screens.show_screen(name)

    # What the person asks for.

    @Slot()
    def _on_new_requested(self) -> None:
        self.show_screen(CHAT)
        self.screens.chat.start_new()
        self.sidebar.mark_open("")

    @Slot(str)
    def _on_conversation_requested(self, conversation_id: str) -> None:
        self._on_message_requested(conversation_id, "")

    @Slot(str, str)
    def _on_message_requested(self, conversation_id: str, message_id: str) -> None:
        self.show_screen(CHAT)
        self.screens.chat.open(conversation_id, message_id)

    @Slot(str)
    def _on_memory_requested(self, memory_id: str) -> None:
        self.show_screen("memory")
        self.screens.memory.show_memory(memory_id)

    @Slot(str)
    def _on_settings_requested(self, page: str) -> None:
        self.show_screen("settings")
        self.screens.settings.pane.show_page(page)

    @Slot(str)
    def _on_elsewhere_requested(self, place: str) -> None:
        if place == "profiles":
            self.profiles.do("manage")
        else:
            self._handlers()[place]()

    def _on_try_requested(self) -> None:
        self.show_screen("memory")
        self.screens.memory.try_recall()

    def _on_search_requested(self) -> None:
        field = self.sidebar.pane.search
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()

    def _on_escape_pressed(self) -> None:
        field = self.sidebar.pane.search
        if field.hasFocus() and field.text():
            field.clear()
        elif not self.screens.shown.escape():
            self.screens.shown.focus_first()

    def _resize_text(self, size: int) -> None:
        self._bridge.run(lambda: self._services.preferences.set("appearance.text_size", size))

    @Slot()
    def _on_reembed_requested(self) -> None:
        queue = self._services.queue
        self._bridge.run(lambda: queue.enqueue_index(trigger=Trigger.NOW))

    @Slot(object)
    def _on_erase_requested(self, conversation: Conversation) -> None:
        erasure, wanted = self._services.erasure, conversation.id

        def erase(ticked: frozenset[str], _typed: str) -> Operation:
            return erasure.erase_conversation(wanted, ticked)

        dialog = ErasureDialog(
            lambda: erasure.looking_for_conversation(wanted),
            erase,
            self._bridge,
            self._theme,
            None,
            self,
        )
        dialog.erased.connect(lambda _proof: self._on_conversation_erased(wanted))
        dialog.open()

    def _on_conversation_erased(self, conversation_id: str) -> None:
        gone = frozenset({conversation_id})
        self._bridge.publish(Changes(memories=gone, conversations=gone))

    # What happens by itself.

    @Slot(object)
    def _on_changed(self, changes: Changes) -> None:
        self.sidebar.apply_changes(changes)
        self.profiles.apply_changes(changes)
        self.background.apply_changes(changes)
        self.restriction.apply_changes(changes)
        self.screens.apply_changes(changes)

    @Slot(object)
    def _on_work_progressed(self, progress: Progress | None) -> None:
        self.sidebar.pane.show_working(progress.label if progress else "")
        self.screens.show_progress(progress)
