"""What the controllers of pages share: the services, reading anew on changes, telling errors."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QObject

from app.domain.changes import Changes
from app.domain.ids import Clock, utc_now
from app.gui.bridge import Bridge

if TYPE_CHECKING:
    from app.services.services import Services


class PageNotice(Protocol):
    """A line of a page that tells the person something."""

    def say(self, sentence: str, *, tone: str = ...) -> None:
        """Show a sentence in a tone: ``danger``, ``warn`` or ``accent``."""


class Page(Protocol):
    """The widget of a page."""

    @property
    def notice(self) -> PageNotice:
        """Where it tells what happened."""


PageT = TypeVar("PageT", bound=Page)


class PageController(QObject, Generic[PageT]):
    """Connects a page with the services; it is a :class:`~app.gui.screen.Screen`.

    What a page shows is read on a worker by :meth:`_read` and shown by :meth:`_show`, and that
    again whenever changes concern it.

    Attributes:
        pane: The page's widget.
        mishap: What the page says of a bug; empty where only the window tells it.
    """

    mishap = "That did not work."

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        pane: PageT,
        parent: QObject | None = None,
        clock: Clock = utc_now,
    ) -> None:
        super().__init__(parent)
        self._services, self._bridge, self._clock = services, bridge, clock
        self.pane = pane

    # What the main window asks of every screen.

    def apply_changes(self, changes: Changes) -> None:
        """Read again what the changes concern."""
        if self._concerned(changes):
            self._load()

    def escape(self) -> bool:
        """Close the topmost thing there is; here is none."""
        return False

    # What each page has of its own.

    def _concerned(self, changes: Changes) -> bool:
        """Say whether changes concern what is shown."""
        return bool(changes)

    def _read(self) -> Any:
        """Return what is to be shown; called on a worker."""

    def _show(self, found: Any) -> None:
        """Show what was read."""

    # What they have in common.

    def _load(self) -> None:
        """Read and show it; an older reading never takes the place of a newer one."""
        self._bridge.run(self._read, self._show, newest=self._load)

    def _run(self, work: Callable[[], Any], done: Callable[[Any], None] | None = None) -> None:
        """Do what the person wants on a worker; the page tells if that fails."""
        self._bridge.run(work, done, self._fail)

    def _undo(self, batch: str, where: Callable[[], PageNotice] | None = None) -> None:
        """Take a batch back; tell why some of it could not be, there or in the page's notice."""

        def told(outcome: tuple[Changes, Sequence[str]]) -> None:
            if outcome[1]:
                notice = where() if where else self.pane.notice
                notice.say(" ".join(outcome[1]), tone="warn")

        self._run(lambda: self._services.undo.undo(batch), told)

    def _fail(self, error: Exception) -> None:
        if words := self._told(error):
            self.pane.notice.say(words, tone="danger")

    def _told(self, error: Exception) -> str:
        """Return what the page says of an error."""
        return self._bridge.told(error, self.mishap)
