"""The first page of an erasure: everything it concerns, and what of it to take along."""

from collections import OrderedDict
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.domain.erasure import Copy, Inventory
from app.gui.erasure.sizes import size
from app.gui.theme import Theme
from app.gui.widgets import Button, Card, Label, Scroll, fill, hbox, named, vbox
from app.gui.widgets.tick_box import TickBox

SHOWN_OF_A_KIND = 40
SHOWN_MORE = 100
_HEADINGS = {
    "conversation": "The conversation",
    "memory": "What Loci remembers",
    "evidence": "Where you said it",
    "message": "Messages",
    "answer": "Answers",
    "another": "Other memories",
    "title": "Titles",
    "draft": "Drafts",
    "trace": "Records of what was recalled",
    "journal": "Its history",
    "backup": "Backups",
    "export": "Exports made by Loci",
    "file": "Files",
    "key": "Keys",
    "fixed": "What Loci leaves as it is",
}
_REDACTED = frozenset({"evidence", "message", "answer", "title", "draft"})


class _CopyRow(QWidget):
    """A check box with words that may break into lines, and a size."""

    toggled = Signal()  # it was ticked or unticked

    def __init__(self, theme: Theme, copy: Copy) -> None:
        super().__init__()
        self.copy = copy
        name = f"copy_{copy.key}"
        self.follows = copy.follows
        locked = copy.required or bool(self.follows)
        self.box = TickBox(theme, "", name, copy.label)
        self.box.setChecked(copy.required or copy.ticked)
        self.box.setEnabled(not locked)
        self.box.toggled.connect(self.toggled)
        style = "body" if not locked else "muted"
        words = Label(copy.label, style, wrap=True, name=f"{name}_label")
        words.installEventFilter(self)
        note = [size(copy.bytes)] if copy.bytes else []
        note += ["always"] if copy.required else ["goes with it"] if self.follows else []
        row = hbox(
            (self.box, 0, Qt.AlignmentFlag.AlignTop),
            (self._told(words, copy.why), 1),
            of=self,
            margins=(0, 3, 0, 3),
            spacing=10,
        )
        aside = Label(" · ".join(note), "small", name=f"{name}_note")
        aside.setContentsMargins(0, 3, 0, 0)
        row.addWidget(aside, 0, Qt.AlignmentFlag.AlignTop)

    def _told(self, words: Label, why: str) -> QVBoxLayout:
        """Return what it is, and below why it is listed."""
        column = vbox(words, spacing=1)
        if why:
            reason = why[0].upper() + why[1:]
            column.addWidget(Label(reason, "small", wrap=True, name=f"{words.objectName()}_why"))
        return column

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let a click on the words count as one on the box."""
        if event.type() == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            self.box.click()
        return super().eventFilter(watched, event)


class _More(QWidget):
    """Places that are not shown yet, each with its own tick, and a button that shows some more."""

    wanted = Signal()  # the person wants to see more

    def __init__(self, theme: Theme, copies: Sequence[Copy]) -> None:
        super().__init__()
        self.copies = list(copies)
        name = f"more_{copies[0].kind}_{'following' if copies[0].follows else 'free'}"
        self._words = Label("", "secondary", wrap=True, name=f"{name}_label")
        self.button = Button(theme, "", name, "ghost", then=self.wanted)
        hbox((self._words, 1), self.button, of=self, margins=(0, 3, 0, 3))
        self.tell(frozenset())

    def going(self, ticked: frozenset[str]) -> frozenset[str]:
        """Return the keys of those that go, where others that are ticked go."""
        return frozenset(
            copy.key
            for copy in self.copies
            if copy.required or (copy.follows & ticked if copy.follows else copy.ticked)
        )

    def take(self) -> list[Copy]:
        """Return the next ones to be shown, which are not hidden any more."""
        taken, self.copies = self.copies[:SHOWN_MORE], self.copies[SHOWN_MORE:]
        self.setVisible(bool(self.copies))
        return taken

    def tell(self, ticked: frozenset[str]) -> None:
        """Say how many there are, and how many of them go."""
        number = len(self.copies)
        going = len(self.going(ticked))
        self._words.setText(f"and {number:,} more of these, of which {going:,} will be erased")
        self.button.setText(f"Show {min(number, SHOWN_MORE):,} more")


class InventoryView(QWidget):
    """What there is to erase, with check boxes, and what has to be understood first."""

    confirmed = Signal()  # the person wants it done
    cancelled = Signal()  # the person thought better of it

    def __init__(self, theme: Theme, inventory: Inventory, typed_name: str | None = None) -> None:
        super().__init__()
        self.setObjectName("erasure_inventory")
        self._typed_name = typed_name
        self._theme = theme
        self._rows: list[_CopyRow] = []
        self._hidden: list[_More] = []
        self._name_field = named(QLineEdit(), "erasure_name", "Name of the profile")
        self.count = Label("", "secondary", name="erasure_count")
        self.erase_button = Button(theme, "Erase for good", "erasure_confirm", "danger", "trash")
        self.cancel_button = Button(theme, "Cancel", "erasure_cancel", then=self.cancelled)
        self._lay_out(theme, inventory)
        self._name_field.textChanged.connect(self._weigh)
        self._name_field.returnPressed.connect(self.erase_button.click)
        self.erase_button.clicked.connect(self.confirmed)
        self._weigh()

    @property
    def ticked(self) -> frozenset[str]:
        """The keys of every copy to erase."""
        shown = frozenset(row.copy.key for row in self._rows if row.box.isChecked())
        free = shown.union(*(more.going(frozenset()) for more in self._hidden))
        return free.union(*(more.going(free) for more in self._hidden))

    @property
    def typed(self) -> str:
        """The name the person typed."""
        return self._name_field.text().strip()

    def first_field(self) -> QWidget:
        """Return where the keyboard should start: never on the button that erases."""
        return self.cancel_button if self._typed_name is None else self._name_field

    def _lay_out(self, theme: Theme, inventory: Inventory) -> None:
        column = vbox(
            Label(inventory.title, "heading", wrap=True, name="erasure_title"),
            (self._list(theme, inventory), 1),
            of=self,
            margins=(24, 22, 24, 20),
            spacing=12,
        )
        if self._typed_name is not None:
            ask = f"To continue, type the name of this profile: {self._typed_name}"
            column.addWidget(Label(ask, "strong", wrap=True, name="erasure_name_label"))
            self._name_field.setPlaceholderText(self._typed_name)
            column.addWidget(self._name_field)
        column.addLayout(hbox((self.count, 1), self.cancel_button, self.erase_button))

    def _warning(self, inventory: Inventory) -> Card:
        card = Card("erasure_warning", "danger")
        words = "Erasing cannot be undone: nothing that is ticked here can be brought back."
        if _REDACTED & {copy.kind for copy in inventory.copies}:
            words += (
                " Inside a message only the words themselves are replaced, by “[erased]”;"
                " the conversation around them stays readable."
            )
        card.body.addWidget(Label(words, "body", wrap=True, name="erasure_warning_words"))
        if any(copy.why for copy in inventory.copies):
            elsewhere = (
                "Other places that say the same are listed with the reason, and ticked where that"
                " is certain. What you leave unticked stays, and the report names it."
            )
            fill(card.body, 6, Label(elsewhere, "secondary", wrap=True, name="erasure_elsewhere"))
        return card

    def _list(self, theme: Theme, inventory: Inventory) -> Scroll:
        inside = named(QWidget(), "erasure_copies_inside")
        column = vbox(self._warning(inventory), of=inside, margins=(0, 0, 8, 0), spacing=2)
        for kind, copies in _by_kind(inventory.copies).items():
            heading = _HEADINGS.get(kind, kind.capitalize())
            fill(column, 10, Label(heading, "strong", name=f"erasure_kind_{kind}"))
            if kind in ("export", "fixed"):
                self._mention(column, copies)
                continue
            following = [copy for copy in copies if copy.follows]
            for group in ([copy for copy in copies if not copy.follows], following):
                self._list_group(column, sorted(group, key=lambda copy: not copy.required))
        column.addStretch(1)
        return named(Scroll(inside, "erasure_copies"), "erasure_copies", "What will be erased")

    def _list_group(self, column: QVBoxLayout, copies: Sequence[Copy]) -> None:
        """Add a row for each copy; past a certain number the rest is shown on demand."""
        for copy in copies[:SHOWN_OF_A_KIND]:
            column.addWidget(self._row(copy))
        if rest := copies[SHOWN_OF_A_KIND:]:
            more = _More(self._theme, rest)
            more.wanted.connect(lambda: self._show_more(column, more))
            self._hidden.append(more)
            column.addWidget(more)

    def _row(self, copy: Copy) -> _CopyRow:
        row = _CopyRow(self._theme, copy)
        row.toggled.connect(self._weigh)
        self._rows.append(row)
        return row

    def _show_more(self, column: QVBoxLayout, more: _More) -> None:
        place = column.indexOf(more)
        for number, copy in enumerate(more.take()):
            column.insertWidget(place + number, self._row(copy))
        self._weigh()

    @staticmethod
    def _mention(column: QVBoxLayout, copies: Sequence[Copy]) -> None:
        for copy in copies:
            column.addWidget(Label(copy.label, "secondary", wrap=True, name=f"copy_{copy.key}"))

    def _weigh(self) -> None:
        ticked = self.ticked
        for row in self._rows:
            if row.follows:
                row.box.setChecked(bool(row.follows & ticked))
        for more in self._hidden:
            more.tell(ticked)
        total = len(self._rows) + sum(len(more.copies) for more in self._hidden)
        chosen = len(self.ticked)
        self.count.setText(f"{chosen:,} of {total:,} places" if total else "")
        named_right = self._typed_name is None or self.typed == self._typed_name.strip()
        self.erase_button.setEnabled(named_right and (chosen > 0 or not total))


def _by_kind(copies: Sequence[Copy]) -> OrderedDict[str, list[Copy]]:
    order = list(_HEADINGS)
    copies = sorted(copies, key=lambda c: order.index(c.kind) if c.kind in order else len(order))
    kinds: OrderedDict[str, list[Copy]] = OrderedDict()
    for copy in copies:
        kinds.setdefault(copy.kind, []).append(copy)
    return kinds
