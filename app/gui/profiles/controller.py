"""What can be done about profiles while one is open."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from app.domain.changes import Changes
from app.domain.profile import Profile
from app.gui.bridge import Bridge
from app.gui.profiles.sheets import ManageSheet, delete_sheet, new_profile_sheet, rename_sheet
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.services.profiles import ProfilesService


class ProfilesController(QObject):
    """Lists, makes, renames and erases profiles."""

    listed = Signal(object, object)  # the profiles; the open one
    switch_requested = Signal(str)  # the slug of the profile to open instead

    def __init__(
        self,
        profiles: "ProfilesService",
        opened: Profile,
        bridge: Bridge,
        theme: Theme,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._profiles = profiles
        self._opened = opened
        self._bridge = bridge
        self._theme = theme
        self._window = window
        self._sheet: ManageSheet | None = None
        self._known: Sequence[Profile] = (opened,)

    def refresh(self) -> None:
        """Read the list again."""
        self._bridge.run(self._profiles.list, self._on_profiles_loaded, newest=self.refresh)

    def apply_changes(self, changes: Changes) -> None:
        """Read the list again where a profile changed."""
        if changes.profile:
            self.refresh()

    def _on_profiles_loaded(self, profiles: Sequence[Profile]) -> None:
        self._known = profiles
        opened = next((p for p in profiles if p.slug == self._opened.slug), self._opened)
        self._opened = opened
        self.listed.emit(profiles, opened)
        if self._sheet is not None:
            self._sheet.show_profiles(profiles, opened.slug)

    @Slot(str)
    def choose(self, slug: str) -> None:
        """Open another profile; the open one is left as it is."""
        if slug == self._opened.slug:
            self.listed.emit(self._known, self._opened)
        else:
            self.switch_requested.emit(slug)

    @Slot(str)
    def do(self, what: str) -> None:
        """Open the dialog for ``new``, ``rename`` or ``manage``."""
        if what == "new":
            self._create()
        elif what == "rename":
            self._rename(self._opened)
        else:
            self._manage()

    def _create(self) -> None:
        def submit(values: dict[str, str]) -> None:
            phrase = values["passphrase"] or None
            self._bridge.run(lambda: self._profiles.create(values["name"], phrase), made, failed)

        def made(profile: Profile) -> None:
            sheet.done_with()
            self.refresh()
            self.switch_requested.emit(profile.slug)

        def failed(error: Exception) -> None:
            sheet.done_with(error)

        sheet = new_profile_sheet(self._theme, self._window, submit)
        sheet.open()

    def _rename(self, profile: Profile) -> None:
        def submit(values: dict[str, str]) -> None:
            self._bridge.run(
                lambda: self._profiles.rename(profile.slug, values["name"]), done, sheet.done_with
            )

        def done(_profile: Profile) -> None:
            sheet.done_with()
            self._bridge.publish(Changes(profile=True))

        sheet = rename_sheet(self._theme, self._window, profile, submit)
        sheet.open()

    def _delete(self, profile: Profile) -> None:
        def submit(values: dict[str, str]) -> None:
            self._bridge.run(
                lambda: self._profiles.delete(profile.slug, values["name"]), done, sheet.done_with
            )

        def done(_lines: Sequence[str]) -> None:
            sheet.done_with()
            self.refresh()

        sheet = delete_sheet(self._theme, self._window, profile, submit)
        sheet.open()

    def _manage(self) -> None:
        self._sheet = sheet = ManageSheet(self._theme, self._window)
        sheet.rename_requested.connect(self._rename)
        sheet.delete_requested.connect(self._delete)
        sheet.create_requested.connect(self._create)
        sheet.finished.connect(self._on_sheet_closed)
        sheet.show_profiles(self._known, self._opened.slug)
        sheet.open()

    @Slot(int)
    def _on_sheet_closed(self, _code: int) -> None:
        self._sheet = None
