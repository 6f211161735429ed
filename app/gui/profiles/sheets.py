"""The dialogs about profiles: making, renaming, erasing, and the list of them."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.domain.profile import Profile
from app.gui.dialogs import FormSheet, Sheet, TypedNameSheet
from app.gui.erasure.sizes import size
from app.gui.theme import Theme
from app.gui.widgets import Button, Chip, ElidedLabel, Label, Scroll, hbox, line, named, vbox
from app.gui.widgets.filling import drop

Submit = Callable[[dict[str, str]], None]


def new_profile_sheet(theme: Theme, parent: QWidget, submit: Submit) -> FormSheet:
    """Return the dialog that makes a profile: a name, and a passphrase if wanted."""
    sheet = FormSheet(theme, parent, "New profile", "Create profile", "new_profile", submit)
    sheet.add_text(
        "A profile is a vault of its own, with its own key: nothing is shared between profiles."
    )
    sheet.add_field("name", "Name", hint="Such as Work")
    sheet.add_field(
        "passphrase",
        "Passphrase",
        hint="Leave empty to keep the key in the system keyring",
        secret=True,
    )
    return sheet


def rename_sheet(theme: Theme, parent: QWidget, profile: Profile, submit: Submit) -> FormSheet:
    """Return the dialog that renames a profile."""
    sheet = FormSheet(theme, parent, "Rename profile", "Rename", "rename_profile", submit)
    sheet.add_field("name", "Name", profile.name).selectAll()
    return sheet


def delete_sheet(theme: Theme, parent: QWidget, profile: Profile, submit: Submit) -> TypedNameSheet:
    """Return the dialog that erases a profile which is not open."""
    return TypedNameSheet(
        theme,
        parent,
        f"Erase {profile.name}?",
        f"Destroys this profile's key, its vault of {size(profile.bytes)} and its backups. Cannot "
        "be undone.",
        profile.name,
        "Erase",
        "delete_profile",
        submit,
    )


class ManageSheet(Sheet):
    """The profiles of this computer."""

    rename_requested = Signal(object)  # the Profile
    delete_requested = Signal(object)  # the Profile
    create_requested = Signal()  # a new one

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent, "Profiles", "manage_profiles")
        self._theme = theme
        self.setMinimumSize(theme.px(540), theme.px(360))
        self._inside = named(QWidget(), "profiles_inside")
        self._rows = vbox(of=self._inside, margins=(0, 0, 8, 0), spacing=0)
        self.body.addWidget(Scroll(self._inside, "profiles_scroll"), 1)
        new = Button(theme, "New profile…", "manage_new_profile", icon="plus")
        new.clicked.connect(self.create_requested)
        self._foot.insertWidget(0, new)
        self._made: list[QWidget] = []

    def show_profiles(self, profiles: Sequence[Profile], current: str) -> None:
        """Show every profile; the open one can only be renamed here."""
        drop(*self._made)
        self._made = []
        while self._rows.takeAt(0):
            pass
        for profile in profiles:
            row = self._row(profile, opened=profile.slug == current)
            self._made.append(row)
            self._rows.addWidget(row)
        self._rows.addStretch(1)

    def _row(self, profile: Profile, *, opened: bool) -> QWidget:
        slug = profile.slug
        row = named(QWidget(), f"profile.{slug}", profile.name)
        words = vbox(
            ElidedLabel(profile.name, "row", f"profile_name.{slug}"),
            Label(size(profile.bytes), "secondary", name=f"profile_size.{slug}"),
            spacing=2,
        )
        rename = Button(self._theme, "Rename…", f"rename.{slug}", spoken=f"Rename {profile.name}")
        rename.clicked.connect(lambda: self.rename_requested.emit(profile))
        inner = hbox((words, 1), margins=(0, 12, 0, 12), spacing=8)
        if opened:
            inner.addWidget(Chip("Open", "accent", f"profile_open.{slug}"))
        inner.addWidget(rename)
        if not opened:
            erase = Button(self._theme, "Erase…", f"erase.{slug}", "danger")
            erase.setAccessibleName(f"Erase {profile.name}")
            erase.clicked.connect(lambda: self.delete_requested.emit(profile))
            inner.addWidget(erase)
        vbox(inner, line(f"profile_line.{slug}"), of=row, margins=0, spacing=0)
        return row
