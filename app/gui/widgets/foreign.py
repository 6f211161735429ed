"""Words that may be anybody's, on their way into a widget: never markup, keys or turned around.

Qt takes some texts for more than words: a tool tip with a tag in it is drawn as HTML, ``&`` in a
menu or on a button makes a shortcut, and what follows a tab in a menu line is shown as keys.
Labels of plain text (``Label``, ``Chip``) do by themselves what is done here;
``tests/architecture`` sees to it that nothing else is shown without.
"""

import re
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy

from app.domain.language.text import shown
from app.gui.widgets.naming import named

_MARKUP = re.compile(r"<[\s!?]*[^\W\d_]|&lt;")  # what Qt takes for rich text, and a little more


def tip(text: str) -> str:
    """Return a tool tip that says these words, whatever markup they hold."""
    fit = shown(text)
    if not _MARKUP.search(fit):
        return fit
    return f'<p style="white-space: pre-wrap">{escape(fit)}</p>'


def caption(text: str) -> str:
    """Return the words of a button or a line of a menu, in which ``&`` and tabs mean nothing."""
    return shown(text).replace("\t", " ").replace("&", "&&")


def rich(html: str, role: str, name: str, spoken: str) -> QLabel:
    """Return a label of HTML made by us of escaped words, and what is said instead of it."""
    label = named(QLabel(shown(html)), name, shown(spoken))
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setProperty("role", role)
    label.setWordWrap(True)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return label
