"""Widgets that several screens use; each carries its object name and spoken name."""

from app.gui.widgets.boxes import fill, hbox, vbox
from app.gui.widgets.buttons import Button, IconButton
from app.gui.widgets.cards import Card, CardButton, ChoiceCard
from app.gui.widgets.chips import Chip, ChipButton
from app.gui.widgets.flow_layout import FlowLayout
from app.gui.widgets.foreign import caption, rich, tip
from app.gui.widgets.full_page import FullPage, Scroll, ScrolledColumn, ScrolledPage, pile
from app.gui.widgets.header import Header
from app.gui.widgets.labels import ElidedLabel, Label, line
from app.gui.widgets.naming import named, restyled
from app.gui.widgets.notices import EmptyState, ErrorBar, NoticeBar, NoticeLine, ProgressFoot
from app.gui.widgets.rail import Rail
from app.gui.widgets.search_field import SearchField
from app.gui.widgets.segmented import SegmentedControl
from app.gui.widgets.select import MenuButton, Select
from app.gui.widgets.switch import Switch

__all__ = (
    "Button",
    "Card",
    "CardButton",
    "Chip",
    "ChipButton",
    "ChoiceCard",
    "ElidedLabel",
    "EmptyState",
    "ErrorBar",
    "FlowLayout",
    "FullPage",
    "Header",
    "IconButton",
    "Label",
    "MenuButton",
    "NoticeBar",
    "NoticeLine",
    "ProgressFoot",
    "Rail",
    "Scroll",
    "ScrolledColumn",
    "ScrolledPage",
    "SearchField",
    "SegmentedControl",
    "Select",
    "Switch",
    "caption",
    "fill",
    "hbox",
    "line",
    "named",
    "pile",
    "restyled",
    "rich",
    "tip",
    "vbox",
)
