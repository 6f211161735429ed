"""One open profile on the window: the sidebar, and the screens beside it."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.domain.changes import Changes
from app.domain.conversation import Conversation
from app.domain.ids import Clock, utc_now
from app.domain.jobs.operation import Operation
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import Trigger
from app.gui import actions
from app.gui.background import BackgroundWork
from app.gui.bridge import Bridge
from app.gui.dialogs import ShortcutSheet
from app.gui.dropping import DroppedModel
from app.gui.erasure.dialog import ErasureDialog
from app.gui.profiles.controller import ProfilesController
from app.gui.restriction import RestrictionBar
from app.gui.screen import Screen
from app.gui.sidebar.controller import SidebarController
from app.gui.theme import USUAL_TEXT_SIZE, Theme
from app.gui.widgets import NoticeBar, named

if TYPE_CHECKING:
    from app.services.profiles import ProfilesService
    from app.services.services import Services

CHAT = "chat"
SCREENS = ("chat", "inspector", "timeline", "attention", "activity", "library", "settings")
NEXT_TURN_MS = 1  # a timer lets what the person did meanwhile come first
FIRST_PICTURE_MS = 150  # until the window is drawn, the workers leave it the interpreter


class Workspace(QWidget):
    """Sidebar and screens; a screen is built on its first visit.

    Signals:
        switch_requested: arg 0: the slug of the profile to open instead
        erased_everything: The profile is gone.
        put_away: A backup takes the vault's place; arg 0: why that failed, or None
        quit_requested: The person wants to leave.
    """

    switch_requested = Signal(str)
    erased_everything = Signal()
    put_away = Signal(object)
    quit_requested = Signal()

    def __init__(
        self,
        services: "Services",
        profiles: "ProfilesService",
        bridge: Bridge,
        theme: Theme,
        clock: Clock = utc_now,
    ) -> None:
        super().__init__()
        self.setObjectName("workspace")
        self.setAccessibleName(services.profile.name)
        self._services, self._profile_service = services, profiles
        self._bridge, self._theme = bridge, theme
        self._clock = clock
        self._screens: dict[str, Screen] = {}
        self._progress: Progress | None = None
        self._shown = ""
        self.notice = NoticeBar(theme, "window_notice")
        self.restriction = RestrictionBar(services, bridge, theme)
        self._dropped = DroppedModel(services.library, bridge, self.notice, self)
        self.sidebar = SidebarController(services, bridge, theme, self, clock)
        self.profiles = ProfilesController(profiles, services.profile, bridge, theme, self)
        self.background = BackgroundWork(services, bridge, self)
        self._pages = named(QStackedWidget(), "screens")
        self._lay_out()
        self._connect()
        actions.install(self, self._handlers())
        self.show_screen(CHAT)

    def start(self, noticed: Sequence[str] = ()) -> None:
        """Read the lists, and once they are seen begin with what waits in the background.

        Args:
            noticed: What the person should know, in sentences.
        """
        if noticed:
            self.notice.say(" ".join(noticed))
        self.restriction.look()
        self.sidebar.refresh()
        self.profiles.refresh()
        self.screen_for(CHAT).focus_first()
        QTimer.singleShot(FIRST_PICTURE_MS, self, self._begin_work)

    def unsaved(self) -> Callable[[], object]:
        """Return what keeps words that were written last, to be called before the vault closes."""
        keep: Callable[[], object] = self.screen_for(CHAT).unsaved()
        return keep

    @Slot()
    def _begin_work(self) -> None:
        self.background.start()
        self._bridge.run(self._services.tampering.look, self._on_looked)
        self.screen_for(CHAT).warm()

    def _on_looked(self, changes: Changes) -> None:
        """Say what something else than Loci changed, found on the look after the first picture."""
        if changes.said:
            self.notice.say(" ".join(sorted(changes.said)))

    def _lay_out(self) -> None:
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self.restriction)
        right.addWidget(self.notice)
        right.addWidget(self._pages, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.sidebar.pane)
        row.addLayout(right, 1)

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

    def screen_for(self, name: str) -> Any:
        """Return the controller of a screen, built now if this is the first visit."""
        if name not in self._screens:
            self._screens[name] = self._build(name)
        return self._screens[name]

    @Slot(str)
    def show_screen(self, name: str) -> None:
        """Show a screen by its name; one that is built now appears a turn later."""
        fresh = name not in self._screens
        moved, self._shown = self._shown != name, name
        self.sidebar.show_page(name)
        self.screen_for(name)
        if fresh and name != CHAT:
            QTimer.singleShot(NEXT_TURN_MS, self, lambda: self._place(name, moved))
        else:
            self._present(name, moved)

    def _place(self, name: str, moved: bool) -> None:
        """Put a new screen among the others; it is styled now, and laid out in another turn."""
        self._add(name)
        QTimer.singleShot(NEXT_TURN_MS, self, lambda: self._present(name, moved))

    def _present(self, name: str, moved: bool) -> None:
        if name != self._shown:
            return
        screen = self._screens[name]
        self._add(name)
        self._pages.setCurrentWidget(screen.pane)
        if moved:
            screen.focus_first()

    def _add(self, name: str) -> None:
        if self._pages.indexOf(self._screens[name].pane) < 0:
            self._pages.addWidget(self._screens[name].pane)

    def _build(self, name: str) -> Any:
        return {
            CHAT: self._make_chat,
            "memory": self._make_memory,
            "timeline": self._make_timeline,
            "attention": self._make_attention,
            "activity": self._make_activity,
            "models": self._make_models,
            "settings": self._make_settings,
        }[name]()

    def _make_chat(self) -> Any:
        from app.gui.chat.controller import ChatController

        made = ChatController(self._services, self._bridge, self._theme, self)
        made.conversation_opened.connect(self.sidebar.mark_open)
        made.memory_requested.connect(self._on_memory_requested)
        made.models_requested.connect(lambda: self.show_screen("models"))
        return made

    def _make_memory(self) -> Any:
        from app.gui.inspector.controller import InspectorController

        made = InspectorController(self._services, self._bridge, self._theme, self)
        made.message_requested.connect(self._on_message_requested)
        made.reembed_requested.connect(self._on_reembed_requested)
        return made

    def _make_timeline(self) -> Any:
        from app.gui.timeline.controller import TimelineController

        made = TimelineController(self._services, self._bridge, self._theme, self, self._clock)
        made.memory_requested.connect(self._on_memory_requested)
        return made

    def _make_attention(self) -> Any:
        from app.gui.attention.controller import AttentionController

        made = AttentionController(self._services, self._bridge, self._theme, self, self._clock)
        made.pane.backups_requested.connect(lambda: self._on_settings_requested("Your data"))
        made.message_requested.connect(self._on_message_requested)
        made.memory_requested.connect(self._on_memory_requested)
        return made

    def _make_activity(self) -> Any:
        from app.gui.activity.controller import ActivityController

        made = ActivityController(self._services, self._bridge, self._theme, self, self._clock)
        made.stop_requested.connect(self.background.stop)
        made.memory_requested.connect(self._on_memory_requested)
        made.settings_requested.connect(lambda: self._on_settings_requested("Upkeep"))
        made.show_progress(self._progress)
        return made

    def _make_models(self) -> Any:
        from app.gui.library.controller import LibraryController

        made = LibraryController(self._services, self._bridge, self._theme, self)
        made.pane.foot.stopped.connect(self.background.stop)
        return made

    def _make_settings(self) -> Any:
        from app.gui.settings.controller import SettingsController

        made = SettingsController(
            self._services, self._profile_service, self._bridge, self._theme, self
        )
        made.erased_everything.connect(self.erased_everything)
        made.put_away.connect(self.put_away)
        made.pane.elsewhere_requested.connect(self._on_elsewhere_requested)
        return made

    # What the person asks for.

    @Slot()
    def _on_new_requested(self) -> None:
        self.show_screen(CHAT)
        self.screen_for(CHAT).start_new()
        self.sidebar.mark_open("")

    @Slot(str)
    def _on_conversation_requested(self, conversation_id: str) -> None:
        self._on_message_requested(conversation_id, "")

    @Slot(str, str)
    def _on_message_requested(self, conversation_id: str, message_id: str) -> None:
        self.show_screen(CHAT)
        self.screen_for(CHAT).open(conversation_id, message_id)

    @Slot(str)
    def _on_memory_requested(self, memory_id: str) -> None:
        self.show_screen("memory")
        self.screen_for("memory").show_memory(memory_id)

    def _on_settings_requested(self, page: str) -> None:
        self.show_screen("settings")
        self.screen_for("settings").pane.show_page(page)

    @Slot(str)
    def _on_elsewhere_requested(self, place: str) -> None:
        if place == "profiles":
            self.profiles.do("manage")
        else:
            self._handlers()[place]()

    def _on_try_requested(self) -> None:
        self.show_screen("memory")
        self.screen_for("memory").try_recall()

    def _on_search_requested(self) -> None:
        field = self.sidebar.pane.search
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()

    def _on_escape_pressed(self) -> None:
        field = self.sidebar.pane.search
        if field.hasFocus() and field.text():
            field.clear()
        elif not self.screen_for(self._shown).escape():
            self.screen_for(self._shown).focus_first()

    def _resize_text(self, size: int) -> None:
        self._bridge.run(lambda: self._services.preferences.set("appearance.text_size", size))

    @Slot()
    def _on_reembed_requested(self) -> None:
        background = self._services.background
        self._bridge.run(lambda: background.enqueue_index(trigger=Trigger.NOW))

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
        parts: tuple[Any, ...] = (self.sidebar, self.profiles, self.background, self.restriction)
        for part in (*parts, *self._screens.values()):
            part.apply_changes(changes)

    @Slot(object)
    def _on_work_progressed(self, progress: Progress | None) -> None:
        self._progress = progress
        self.sidebar.pane.show_working(progress.label if progress else "")
        for name in ("activity", "models"):
            if name in self._screens:
                self.screen_for(name).show_progress(progress)


def import_screens() -> None:
    """Import on this worker what the window would otherwise import on its own thread."""
    for name in SCREENS:
        import_module(f"app.gui.{name}.controller")
