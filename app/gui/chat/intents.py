"""What a person can want of a message: the signals that every message view speaks through."""

from PySide6.QtCore import QObject, QPoint, Signal


class Intents(QObject):
    """Emitted by the views, heard by the pane and the controller.

    Signals:
        regenerate: Answer again; the answer's id.
        edit: Edit a message of the person's; the Message.
        retry: Answer a message that has no answer; its id.
        answer_without: Answer a message without its long parts, which no model reads; its id.
        remember: Remember a message, or the part of it that was selected; its id and the part.
        switch_branch: Show another version of a turn; the Message, and -1 or 1.
        show_source: Open the card of a find; the Source, and the widget it was asked from.
        show_citation: Open the card of a number in an answer; the Turn, the number, and where.
        show_why: Show why an answer came out as it did; its id.
        show_found: Show all that was found for an answer; its id.
        undo_receipt: Undo what was remembered; the Receipt.
        edit_memory: Edit what was remembered; its id, its text, and the widget it was asked from.
        forget_meant: Forget a memory that an order meant; its id, and the order's message.
        unforget: Bring forgotten memories back; their ids.
        erase: Erase memories for good; their ids.
        leave_out: An order does not mean a memory; the answer's id, and the memory's.
        follow_link: Open an address; the address and where it was clicked.
    """

    regenerate = Signal(str)
    edit = Signal(object)
    retry = Signal(str)
    answer_without = Signal(str)
    remember = Signal(str, str)
    switch_branch = Signal(object, int)
    show_source = Signal(object, object)
    show_citation = Signal(object, int, QPoint)
    show_why = Signal(str)
    show_found = Signal(str)
    undo_receipt = Signal(object)
    edit_memory = Signal(str, str, object)
    forget_meant = Signal(str, str)
    unforget = Signal(object)
    erase = Signal(object)
    leave_out = Signal(str, str)
    follow_link = Signal(str, QPoint)
