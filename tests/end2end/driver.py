"""Start the real program with a hand on its keyboard and mouse.

Run in a process of its own: ``python driver.py PORT [arguments of loci]``. It connects to the test
at PORT on loopback, starts ``main()``, and carries out what the test asks: find a widget by its
objectName, click it, type into it, read it. The product knows nothing of it.
"""

import json
import socket
import sys
import threading
from concurrent.futures import Future
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from PySide6.QtCore import (  # noqa: E402
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QGuiApplication, QKeySequence  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import (  # noqa: E402
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)


class Hand(QObject):
    """Lives on the GUI thread and does there what the test asks."""

    asked = Signal(object, object)

    def __init__(self):
        super().__init__()
        self.asked.connect(self._do, Qt.ConnectionType.QueuedConnection)

    @Slot(object, object)
    def _do(self, order, future):
        try:
            future.set_result(getattr(self, "do_" + order.pop("do"))(**order))
        except Exception as error:
            future.set_result({"error": f"{type(error).__name__}: {error}"})

    @staticmethod
    def _every():
        for top in QApplication.topLevelWidgets():
            if top.isVisible():
                yield top
                yield from (w for w in top.findChildren(QWidget) if w.isVisible())

    def _find(self, name, number=0):
        found = [w for w in self._every() if w.objectName() == name]
        if not found:
            raise LookupError(f"no visible widget called {name}")
        return found[number]

    def do_exists(self, name):
        return any(w.objectName() == name for w in self._every())

    def do_names(self):
        return sorted({w.objectName() for w in self._every() if w.objectName()})

    def do_click(self, name, number=0):
        widget = self._find(name, number)
        if not widget.isEnabled():
            raise RuntimeError(f"{name} is disabled")
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
        return True

    def do_click_text(self, text):
        for widget in self._every():
            if isinstance(widget, QAbstractButton) and widget.text() == text:
                QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
                return True
        raise LookupError(f"no button that says {text!r}")

    def do_click_row(self, name, text):
        view = self._find(name)
        assert isinstance(view, QAbstractItemView)
        for index in _indexes(view):
            if text in str(index.data()):
                view.scrollTo(index)
                spot = view.visualRect(index).center()
                QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(spot))
                return True
        raise LookupError(f"no row with {text!r} in {name}")

    def do_rows(self, name):
        return [str(i.data()) for i in _indexes(self._find(name))]

    def do_type(self, name, text):
        widget = self._find(name)
        widget.setFocus()
        target = widget.viewport() if isinstance(widget, QAbstractItemView) else widget
        QTest.keyClicks(target, text)
        return True

    def do_paste(self, name, text):
        widget = self._find(name)
        widget.setFocus()
        QGuiApplication.clipboard().setText(text)
        QTest.keySequence(widget, QKeySequence(QKeySequence.StandardKey.Paste))
        return True

    def do_clear(self, name):
        widget = self._find(name)
        widget.setFocus()
        QTest.keySequence(widget, QKeySequence(QKeySequence.StandardKey.SelectAll))
        QTest.keyClick(widget, Qt.Key.Key_Delete)
        return True

    def do_key(self, keys, name=None):
        sequence = QKeySequence(keys)
        if any(sequence[n].key() == Qt.Key.Key_unknown for n in range(sequence.count())):
            raise ValueError(f"no key called {keys}")
        widget = self._find(name) if name else QApplication.focusWidget()
        QTest.keySequence(widget or QApplication.activeWindow(), sequence)
        return True

    def do_text(self, name, number=0):
        return _text(self._find(name, number))

    def do_texts(self):
        """Return every text that can be seen."""
        return [t for w in self._every() if (t := _text(w))]

    def do_enabled(self, name):
        return self._find(name).isEnabled()

    def do_settle(self, milliseconds):
        QTest.qWait(milliseconds)
        return True

    def do_resize(self, width, height):
        QApplication.activeWindow().resize(width, height)
        return True

    def do_picture(self, path):
        window = QApplication.activeWindow() or next(iter(QApplication.topLevelWidgets()))
        for widget in self._every():
            if widget.underMouse():  # where something was clicked, and the pointer is not
                QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))
                widget.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
        return window.grab().save(path)

    def do_clipboard(self):
        return QGuiApplication.clipboard().text()

    def do_close(self):
        for top in QApplication.topLevelWidgets():
            top.close()
        return True


def _indexes(view):
    model, flat = view.model(), isinstance(view.model(), QAbstractListModel)

    def walk(parent):
        for row in range(model.rowCount(parent)):
            for column in range(1 if flat else model.columnCount(parent)):
                index = model.index(row, column, parent)
                yield index
            if not flat:
                yield from walk(model.index(row, 0, parent))

    yield from walk(QModelIndex())


def _text(widget):
    if isinstance(widget, QLineEdit):
        return widget.text()
    if isinstance(widget, QPlainTextEdit | QTextEdit):
        return widget.toPlainText()
    if isinstance(widget, QLabel | QAbstractButton):
        return widget.text()
    shown = getattr(widget, "toPlainText", None) or getattr(widget, "text", None)
    try:
        return str(shown()) if callable(shown) else ""
    except TypeError:
        return ""


def _serve(port):
    line = socket.create_connection(("127.0.0.1", port))
    hand = None
    with line, line.makefile("rw", encoding="utf-8") as talk:
        for order in talk:
            while hand is None:
                app = QApplication.instance()
                if app is not None and not QApplication.startingUp():
                    hand = Hand()
                    hand.moveToThread(app.thread())
                else:
                    threading.Event().wait(0.02)
            future = Future()
            hand.asked.emit(json.loads(order), future)
            talk.write(json.dumps(future.result(), default=str) + "\n")
            talk.flush()


if __name__ == "__main__":
    from multiprocessing import freeze_support

    freeze_support()
    threading.Thread(target=_serve, args=(int(sys.argv[1]),), daemon=True).start()
    from app.main import main

    sys.exit(main(sys.argv[2:]))
