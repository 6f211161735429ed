"""The choices of a rule: which memories may go, and whether names and numbers do."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from app.domain.language.text import shown
from app.domain.memory import MemoryType
from app.domain.sharing.rule import Shared, SharingRule
from app.gui.theme import Theme
from app.gui.widgets import Label, Select, hbox, named, vbox
from app.gui.widgets.tick_box import TickBox

_MEMORIES = {
    Shared.ALL: "All memories that an answer needs",
    Shared.SOME: "Only some memories",
    Shared.NONE: "No memories",
}
_TYPES = {
    MemoryType.SEMANTIC: "Facts",
    MemoryType.EPISODIC: "Events",
    MemoryType.PROCEDURAL: "Instructions",
    MemoryType.WORKING: "Passing notes",
}
STAND_INS = "Replace names and numbers"
ABOUT = "Others of the same form go in their place; the answer is shown with yours."


class SharingChoice(QWidget):
    """Shows a rule, and lets the person make another one."""

    changed = Signal()  # another rule is chosen

    def __init__(self, theme: Theme, rule: SharingRule) -> None:
        super().__init__()
        named(self, "sharing_choice", "What may go")
        self.memories = Select(theme, "Which memories may go", "sharing_memories")
        for one, words in _MEMORIES.items():
            self.memories.addItem(shown(words), one.value)
        self.types = {one: TickBox(theme, _TYPES[one], f"sharing_{one.value}") for one in _TYPES}
        self.tags = named(QLineEdit(), "sharing_tags", "Tags of memories that may go")
        self.tags.setPlaceholderText("Tags, such as work, recipes")
        self.stand_ins = TickBox(theme, STAND_INS, "sharing_stand_ins")
        self._some = named(QWidget(), "sharing_some", "Which memories")
        self._show(rule)
        self._lay_out()
        self._connect()

    @property
    def rule(self) -> SharingRule:
        """The rule that is chosen."""
        memories = Shared(self.memories.currentData())
        if memories is not Shared.SOME:
            return SharingRule(memories, stand_ins=self.stand_ins.isChecked())
        types = frozenset(one for one, box in self.types.items() if box.isChecked())
        tags = frozenset(filter(None, map(str.strip, self.tags.text().split(","))))
        return SharingRule(memories, types, tags, self.stand_ins.isChecked())

    @property
    def complete(self) -> bool:
        """Whether it names what it must."""
        rule = self.rule
        return rule.memories is not Shared.SOME or bool(rule.types or rule.tags)

    def _show(self, rule: SharingRule) -> None:
        self.memories.setCurrentIndex(list(_MEMORIES).index(rule.memories))
        for one, box in self.types.items():
            box.setChecked(one in rule.types)
        self.tags.setText(", ".join(sorted(rule.tags)))
        self.stand_ins.setChecked(rule.stand_ins)
        self._some.setVisible(rule.memories is Shared.SOME)

    def _lay_out(self) -> None:
        boxes = hbox(*self.types.values(), ..., spacing=14)
        vbox(boxes, self.tags, of=self._some, margins=0, spacing=8)
        about = Label(ABOUT, "secondary", wrap=True, name="sharing_stand_ins_help")
        vbox(self.memories, self._some, self.stand_ins, about, of=self, margins=0, spacing=8)

    def _connect(self) -> None:
        self.memories.currentIndexChanged.connect(self._on_changed)
        for box in (*self.types.values(), self.stand_ins):
            box.toggled.connect(self._on_changed)
        self.tags.textChanged.connect(self._on_changed)

    def _on_changed(self) -> None:
        self._some.setVisible(self.memories.currentData() == Shared.SOME.value)
        self.changed.emit()
