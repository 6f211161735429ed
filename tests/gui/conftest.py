"""What every test of the window has: a theme, a bridge, and a guard on the GUI thread."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import pytest

from app.assets import resource
from app.domain.ids import utc_now
from app.domain.memory import MemoryType
from app.gui.application import Application, computer_settings
from app.gui.bridge import Bridge
from app.gui.library.controller import LibraryController
from app.gui.settings.controller import SettingsController
from app.gui.theme import Theme
from app.main.build import BuiltProfile, build
from app.main.program import Program
from app.paths import Paths
from app.providers.lending import Lent
from app.services.profiles import ProfilesService
from app.services.services import Services
from app.settings.spec import ColourScheme as Choice
from app.store.profiles import Profiles
from app.store.vault.file import Vault
from tests.gui.attending import Place
from tests.gui.desk import Desk, Home
from tests.gui.talk import Scripted, Talk
from tests.gui.waiting import LONG, shown

_SLOW = ("stream", "embed", "score", "call", "read", "judge")
T = TypeVar("T")
OffGui = Callable[[Callable[[], T]], T]


class GuiThreadGuard:
    """Raises when something slow happens on the GUI thread."""

    def __init__(self) -> None:
        self.folder = ""
        self.caught: list[str] = []

    def check(self, what: str) -> None:
        if self.folder and threading.get_ident() == threading.main_thread().ident:
            self.caught.append(what)
            raise AssertionError(f"{what} on the GUI thread")

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event != "open" or not self.folder or not isinstance(arguments[0], str | os.PathLike):
            return
        if os.fspath(arguments[0]).startswith(self.folder):
            self.check(f"open({Path(arguments[0]).name!r})")


@pytest.fixture(scope="session")
def _guard() -> GuiThreadGuard:
    guard = GuiThreadGuard()
    sys.addaudithook(guard.audit)  # cannot be removed; without a folder it does nothing
    return guard


@pytest.fixture(autouse=True)
def gui_thread_guard(
    _guard: GuiThreadGuard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[GuiThreadGuard]:
    """Make the vault, the models and every file below ``tmp_path`` raise on the GUI thread.

    Prepare and inspect them with ``off_gui``.
    """
    for owner, names in _slow_calls():
        for name in names:
            monkeypatch.setattr(owner, name, _guarded(getattr(owner, name), _guard))
    _guard.caught.clear()
    _guard.folder = str(tmp_path)
    yield _guard
    _guard.folder = ""
    assert not _guard.caught


def _slow_calls() -> list[tuple[type, tuple[str, ...]]]:
    found: list[tuple[type, tuple[str, ...]]] = [(Vault, ("read", "write", "search"))]
    for module_name in ("hash", "llamacpp", "notebook", "openai", "host"):
        module = (
            __import__(f"app.providers.{module_name}", fromlist=["*"])
            if _has(module_name)
            else None
        )
        for kind in vars(module).values() if module else ():
            if isinstance(kind, type) and kind.__module__ == f"app.providers.{module_name}":
                names = tuple(name for name in _SLOW if name in vars(kind))
                found.append((kind, names))
    return found


def _has(module_name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(f"app.providers.{module_name}") is not None


def _guarded(call: Callable[..., Any], guard: GuiThreadGuard) -> Callable[..., Any]:
    @wraps(call)
    def checked(*args: Any, **kwargs: Any) -> Any:
        guard.check(call.__qualname__)
        return call(*args, **kwargs)

    return checked


@pytest.fixture
def off_gui() -> Callable[[Callable[[], T]], T]:
    """Call something on another thread and wait for what it returns."""

    def run(work: Callable[[], T]) -> T:
        outcome: list[Any] = []

        def target() -> None:
            try:
                outcome.append((work(), None))
            except BaseException as error:
                outcome.append((None, error))

        thread = threading.Thread(target=target)
        thread.start()
        thread.join(60)
        result, error = outcome[0]
        if error is not None:
            raise error
        return result

    return run


@pytest.fixture(scope="session")
def _theme(qapp: Any) -> Theme:
    return Theme(qapp, resource("theme"))


@pytest.fixture
def theme(_theme: Theme) -> Theme:
    """The theme of the application, light and of the usual size to begin with."""
    _theme.apply(Choice.LIGHT, 14)
    return _theme


@pytest.fixture
def bridge(qapp: Any) -> Iterator[Bridge]:
    """A bridge that must close in time."""
    opened = Bridge()
    yield opened
    assert opened.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let Qt's offscreen platform say what it cannot do."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support"))


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    """A data directory of its own."""
    return Paths(tmp_path / "data")


@pytest.fixture
def store(paths: Paths) -> Profiles:
    """The profiles in it, on a computer without a keyring."""
    return Profiles(paths, utc_now, lambda: None)


@pytest.fixture
def opened(store: Profiles, off_gui: OffGui) -> Iterator[BuiltProfile]:
    """A real profile, open: real vault, real services; no model is loaded unless asked for."""

    def open_one() -> BuiltProfile:
        vault, profile = store.create("Personal")
        return build(store, profile, vault, utc_now)

    profile = off_gui(open_one)
    yield profile
    off_gui(profile.close)


@pytest.fixture
def services(opened: BuiltProfile) -> Services:
    """Everything the open profile offers."""
    return opened.services


@pytest.fixture
def profiles(store: Profiles, opened: BuiltProfile) -> ProfilesService:
    """The service for profiles, with one that is open."""
    return ProfilesService(store)


# The whole application.


@pytest.fixture
def servers(monkeypatch):
    """The model servers that are found on this computer: those that a test puts here."""
    found = []
    monkeypatch.setattr("app.providers.remote.servers.find_servers", lambda: found)
    return found


@pytest.fixture
def start(qtbot, bridge, theme, paths, off_gui, servers):
    """Start the application in this process; put it away at the end."""
    started = []

    def begin(profile=None):
        settings = off_gui(lambda: computer_settings(paths))
        application = Application(Program(), paths, settings, theme, bridge)
        started.append(application)
        with qtbot.waitSignal(application.ready, timeout=LONG) as ready:
            application.start(profile)
        application.window.activateWindow()
        return application, ready.args[0]

    yield begin
    for application in started:
        with qtbot.waitSignal(application.finished, timeout=LONG):
            application.quit()
        application.window.deleteLater()


@pytest.fixture
def welcomed(paths, off_gui):
    """A profile whose first run is over."""

    def make():
        opened = Program().unlock(paths, None)
        opened.services.preferences.set("chat.model", "notebook")
        opened.services.preferences.set("computer.welcomed", True)
        opened.services.preferences.set("computer.recovery_declined", True)
        opened.close()

    off_gui(make)


@pytest.fixture
def workspace(qtbot, start, welcomed):
    """The workspace of a profile whose first run is over."""
    application, page = start()
    assert page == "workspace"
    return application.window.page


# The chat screen.


@pytest.fixture
def controller(qtbot, services, profiles, bridge, theme):
    """The settings, shown."""
    made = SettingsController(services, profiles, bridge, theme)
    bridge.changed.connect(made.apply_changes)
    shown(qtbot, made.pane)
    return made


@pytest.fixture
def brain(opened, monkeypatch):
    """The model that answers: it says what the test tells it to."""
    model = Scripted()

    @contextmanager
    def chat(*_args, **_kwargs):
        yield Lent(model, Event())

    monkeypatch.setattr(opened.host, "chat", chat)
    monkeypatch.setattr(opened.host, "chat_info", lambda **_kwargs: model.info)
    return model


@pytest.fixture
def talk(qtbot, theme, bridge, services, off_gui, brain):
    """The chat screen, and the hands and eyes of a person at it."""
    off_gui(lambda: services.library.choose_embedder("hash"))
    made = Talk(qtbot, theme, bridge, services, off_gui)
    yield made
    made.bridge.drain(lambda: None)


# The models screen.


@pytest.fixture
def library(qtbot, services, bridge, theme, servers):
    """The models screen, listing what there is."""
    made = LibraryController(services, bridge, theme)
    bridge.changed.connect(made.apply_changes)
    shown(qtbot, made.pane, 700, 800)
    qtbot.waitUntil(lambda: bool(made.pane.chat_list.rows()))
    return made


# The inspector.


@pytest.fixture
def home(tmp_path, off_gui):
    """A profile with its services, for the inspector."""
    home = Home(tmp_path / "data", off_gui)
    yield home
    off_gui(home.opened.close)


@pytest.fixture
def desk(qtbot, home, bridge, theme):
    """Open the screen; afterwards let the bridge come to rest before the window goes."""
    opened, quiet = [], []

    def desk():
        opened.append(Desk(qtbot, home, bridge, theme))
        return opened[-1]

    yield desk
    bridge.drain(lambda: quiet.append(True))
    qtbot.waitUntil(lambda: bool(quiet))
    for each in opened:
        each.window.close()
        each.window.deleteLater()


@pytest.fixture
def three_memories(home):
    """Three memories of different age and kind."""
    home.remember("You are allergic to walnuts", 300, category="health")
    home.remember("You live in Ghent", 100, key="home_city", value="Ghent")
    home.remember("Ruth loves salmon", 1, type=MemoryType.EPISODIC)


@pytest.fixture
def placed(qtbot, tmp_path, off_gui, bridge, theme):
    """Make a screen on a profile of its own; it is closed once nothing runs there."""
    made, quiet = [], []

    def make(kind):
        made.append(kind(qtbot, Home(tmp_path, off_gui), bridge, theme))
        return made[-1]

    yield make
    bridge.drain(lambda: quiet.append(True))
    qtbot.waitUntil(lambda: bool(quiet))
    for place in made:
        place.window.close()
        place.window.deleteLater()
        off_gui(place.home.opened.close)


@pytest.fixture
def place(placed):
    return placed(Place)
