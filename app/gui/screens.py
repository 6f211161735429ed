"""The screens of an open profile: each is built on its first visit, and one is seen at a time."""

from collections.abc import Callable, Iterator
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.domain.changes import Changes
from app.domain.ids import Clock
from app.domain.jobs.progress import Progress
from app.gui.bridge import Bridge
from app.gui.screen import Screen
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.gui.activity.controller import ActivityController
    from app.gui.attention.controller import AttentionController
    from app.gui.chat.controller import ChatController
    from app.gui.inspector.controller import InspectorController
    from app.gui.library.controller import LibraryController
    from app.gui.settings.controller import SettingsController
    from app.gui.timeline.controller import TimelineController
    from app.services.profiles import ProfilesService
    from app.services.services import Services

CHAT = "chat"
OTHERS = ("inspector", "timeline", "attention", "activity", "library", "settings")
NEXT_TURN_MS = 1  # a timer lets what the person did meanwhile come first
ScreenT = TypeVar("ScreenT", bound=Screen)


class Screens(QStackedWidget):
    """Builds the screens, and passes on what the person wants there of the others.

    Attributes:
        built: The screens that were visited, by name.
    """

    opened = Signal(str)  # a conversation is open now; its id
    # a message should be shown where it was said: conversation id, message id (empty for the
    # end of it)
    message_requested = Signal(str, str)
    memory_requested = Signal(str)  # a memory should be shown; its id
    models_requested = Signal()  # the person wants to choose who answers
    settings_requested = Signal(str)  # a page of the settings should be shown; its title
    elsewhere_requested = Signal(str)  # a place outside the settings should be shown; its name
    reembed_requested = Signal()  # what another embedder made should be embedded anew, now
    stop_requested = Signal()  # whatever runs in the background should stop
    erased_everything = Signal()  # the profile is gone
    put_away = Signal(object)  # a backup takes the vault's place; why that failed, or None

    def __init__(
        self,
        services: "Services",
        profiles: "ProfilesService",
        bridge: Bridge,
        theme: Theme,
        clock: Clock,
        workspace: QWidget,
    ) -> None:
        super().__init__()
        self.setObjectName("screens")
        self._services, self._profiles = services, profiles
        self._bridge, self._theme, self._clock = bridge, theme, clock
        self._workspace = workspace
        self._progress: Progress | None = None
        self._shown = ""
        self.built: dict[str, Screen] = {}

    # Which is seen.

    @property
    def shown(self) -> Screen:
        """The screen that was asked for last."""
        return self.screen_named(self._shown)

    def show_screen(self, name: str) -> None:
        """Show a screen by its name; one that is built now appears a turn later."""
        fresh = name not in self.built
        moved, self._shown = self._shown != name, name
        self.screen_named(name)
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
        screen = self.built[name]
        self._add(name)
        self.setCurrentWidget(screen.pane)
        if moved:
            screen.focus_first()

    def _add(self, name: str) -> None:
        if self.indexOf(self.built[name].pane) < 0:
            self.addWidget(self.built[name].pane)

    # What happens by itself.

    def apply_changes(self, changes: Changes) -> None:
        """Let every screen that was visited refresh what the changes concern."""
        for screen in self.built.values():
            screen.apply_changes(changes)

    def show_progress(self, progress: Progress | None) -> None:
        """Show in the screens that tell of it what runs in the background; None for nothing."""
        self._progress = progress
        if "activity" in self.built:
            self.activity.show_progress(progress)
        if "models" in self.built:
            self.models.show_progress(progress)

    # The screens.

    def screen_named(self, name: str) -> Screen:
        """Return a screen, built now if this is the first visit."""
        screens: dict[str, Callable[[], Screen]] = {
            CHAT: lambda: self.chat,
            "memory": lambda: self.memory,
            "timeline": lambda: self.timeline,
            "attention": lambda: self.attention,
            "activity": lambda: self.activity,
            "models": lambda: self.models,
            "settings": lambda: self.settings,
        }
        return screens[name]()

    @cached_property
    def chat(self) -> "ChatController":
        """Conversations."""
        from app.gui.chat.controller import ChatController

        made = ChatController(self._services, self._bridge, self._theme, self._workspace)
        made.conversation_opened.connect(self.opened)
        made.memory_requested.connect(self.memory_requested)
        made.models_requested.connect(self.models_requested)
        return self._keep(CHAT, made)

    @cached_property
    def memory(self) -> "InspectorController":
        """The inspector."""
        from app.gui.inspector.controller import InspectorController

        made = InspectorController(self._services, self._bridge, self._theme, self._workspace)
        made.message_requested.connect(self.message_requested)
        made.reembed_requested.connect(self.reembed_requested)
        return self._keep("memory", made)

    @cached_property
    def timeline(self) -> "TimelineController":
        """What was known when."""
        from app.gui.timeline.controller import TimelineController

        made = TimelineController(
            self._services, self._bridge, self._theme, self._workspace, self._clock
        )
        made.memory_requested.connect(self.memory_requested)
        return self._keep("timeline", made)

    @cached_property
    def attention(self) -> "AttentionController":
        """What waits for the person."""
        from app.gui.attention.controller import AttentionController

        made = AttentionController(
            self._services, self._bridge, self._theme, self._workspace, self._clock
        )
        made.pane.backups_requested.connect(lambda: self.settings_requested.emit("Your data"))
        made.message_requested.connect(self.message_requested)
        made.memory_requested.connect(self.memory_requested)
        return self._keep("attention", made)

    @cached_property
    def activity(self) -> "ActivityController":
        """What Loci does by itself."""
        from app.gui.activity.controller import ActivityController

        made = ActivityController(
            self._services, self._bridge, self._theme, self._workspace, self._clock
        )
        made.stop_requested.connect(self.stop_requested)
        made.memory_requested.connect(self.memory_requested)
        made.settings_requested.connect(lambda: self.settings_requested.emit("Upkeep"))
        made.show_progress(self._progress)
        return self._keep("activity", made)

    @cached_property
    def models(self) -> "LibraryController":
        """Who answers, and what finds by meaning."""
        from app.gui.library.controller import LibraryController

        made = LibraryController(self._services, self._bridge, self._theme, self._workspace)
        made.pane.foot.stopped.connect(self.stop_requested)
        return self._keep("models", made)

    @cached_property
    def settings(self) -> "SettingsController":
        """The settings."""
        from app.gui.settings.controller import SettingsController

        made = SettingsController(
            self._services, self._profiles, self._bridge, self._theme, self._workspace
        )
        made.erased_everything.connect(self.erased_everything)
        made.put_away.connect(self.put_away)
        made.pane.elsewhere_requested.connect(self.elsewhere_requested)
        return self._keep("settings", made)

    def _keep(self, name: str, made: ScreenT) -> ScreenT:
        self.built[name] = made
        return made


def import_first() -> None:
    """Import on this worker what is seen first, or the window would on its own thread."""
    import_module(f"app.gui.{CHAT}.controller")


def import_reader() -> None:
    """Import on this worker what reads answers, of which the first may come at once."""
    import_module("app.gui.chat.text.markdown").parser()


def others_imported() -> Iterator[str]:
    """Import on this worker what is seen next, the other screens, and yield the name of each."""
    for name in OTHERS:
        import_module(f"app.gui.{name}.controller")
        yield name
