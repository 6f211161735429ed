"""What the settings screen does: stores values, and looks after the person's data."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.domain.changes import Changes
from app.gui.bridge import Bridge
from app.gui.controller import PageController
from app.gui.dialogs import ConfirmSheet
from app.gui.settings import model
from app.gui.settings.data_controller import YourDataController
from app.gui.settings.data_work import DataWork
from app.gui.settings.pages import AboutPage
from app.gui.settings.pane import SettingsPane
from app.gui.settings.your_data import YourDataPage
from app.gui.theme import Theme
from app.settings.spec import Settings
from app.settings.upkeep import REFERENCE_DELETES

if TYPE_CHECKING:
    from app.services.profiles import ProfilesService
    from app.services.services import Services


class SettingsController(PageController[SettingsPane]):
    """Connects the settings screen with the services."""

    erased_everything = Signal()  # the profile is gone; the services are of no use any more
    # the vault was closed to put a backup in its place; why that failed, or None
    put_away = Signal(object)

    def __init__(
        self,
        services: "Services",
        profiles: "ProfilesService",
        bridge: Bridge,
        theme: Theme,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(services, bridge, SettingsPane(theme), parent)
        self._profiles = profiles
        self._theme = theme
        self._data: YourDataController | None = None
        self.pane.edited.connect(self._on_edited)
        self.pane.reset_requested.connect(self._on_reset_requested)
        self.pane.preset_requested.connect(self._on_preset_requested)
        self.pane.page_shown.connect(self._on_page_shown)
        self.pane.page_made.connect(self._on_page_made)
        QTimer.singleShot(1, self, self._show_first)
        self._load()

    @Slot()
    def _show_first(self) -> None:
        if not self.pane.shown:
            self.pane.show_page(next(iter(model.page_titles())))

    @Slot(object)
    def _on_page_made(self, page: QWidget) -> None:
        if isinstance(page, AboutPage):
            page.report_copied.connect(self._on_report_copied)
        if isinstance(page, YourDataPage):
            self._data = self._look_after(page)

    def _look_after(self, page: YourDataPage) -> YourDataController:
        services, bridge, theme = self._services, self._bridge, self._theme
        work = DataWork(services, bridge, theme, self.pane, page)
        work.erased_everything.connect(self.erased_everything)
        work.put_away.connect(self.put_away)
        return YourDataController(services, self._profiles, bridge, theme, self.pane, page, work)

    # What the main window asks of every screen.

    def apply_changes(self, changes: Changes) -> None:
        """Show settings and ways in that changed."""
        if changes.settings or changes.profile or changes.models:
            self._load()
        if self._data is not None:
            self._data.apply_changes(changes)

    def focus_first(self) -> None:
        """Put the keyboard on the search line."""
        self.pane.search.setFocus()

    def escape(self) -> bool:
        """Leave a search."""
        searching = bool(self.pane.search.text())
        self.pane.search.clear()
        return searching

    # Values.

    def _read(self) -> tuple[Settings, model.Learners]:
        learners = self._services.learners
        told = model.Learners(learners.choices(), learners.status().sentence)
        return self._services.preferences.values(), told

    def _show(self, found: tuple[Settings, model.Learners]) -> None:
        self.pane.show_values(*found)

    @Slot(str, object)
    def _on_edited(self, key: str, value: Any) -> None:
        self._bridge.run(
            lambda: self._services.preferences.set(key, value),
            on_error=lambda error: self._on_setting_failed(key, error),
        )

    @Slot(str)
    def _on_reset_requested(self, key: str) -> None:
        self._bridge.run(
            lambda: self._services.preferences.reset(key),
            on_error=lambda error: self._on_setting_failed(key, error),
        )

    def _on_setting_failed(self, key: str, error: Exception) -> None:
        self.pane.fail(key, self._bridge.told(error, "It was not saved."))

    @Slot(bool)
    def _on_preset_requested(self, use: bool) -> None:
        preferences = self._services.preferences
        if not use:
            self._bridge.run(preferences.use_defaults)
            return
        sheet = ConfirmSheet(
            self._theme,
            self.pane,
            "Use the reference preset?",
            REFERENCE_DELETES,
            "Use preset",
            "reference",
            "danger",
        )
        sheet.accepted.connect(lambda: self._bridge.run(preferences.use_reference))
        sheet.open()

    # Pages.

    @Slot(str)
    def _on_page_shown(self, title: str) -> None:
        if title == model.YOUR_DATA and self._data is not None:
            self._data.load()
        page = self.pane.page(title)
        if isinstance(page, AboutPage):
            self._bridge.run(
                self._services.doctor.report,
                page.show_report,
                lambda error: page.show_problem(str(error)),
            )

    @Slot(str)
    def _on_report_copied(self, report: str) -> None:
        QGuiApplication.clipboard().setText(report)
