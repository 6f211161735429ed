"""What a person can want of a message: the signals that every message view speaks through."""

from PySide6.QtCore import QObject, QPoint, Signal


class Intents(QObject):
    """Emitted by the views, heard by the pane and the controller."""

    regenerate = Signal(str)  # answer again; the answer's id
    # answer again with another model; the answer's id, and that of the model that gave it
    regenerate_with = Signal(str, str)
    fork = Signal(str)  # carry the conversation on from a message in a new one; its id
    edit = Signal(object)  # edit a message of the person's; the Message
    open_file = Signal(object, str)  # show a file that was attached; the Part, the conversation
    retry = Signal(str)  # answer a message that has no answer; its id
    # answer a message without its long parts, which no model reads; its id
    answer_without = Signal(str)
    # remember a message, or the part of it that was selected; its id and the part
    remember = Signal(str, str)
    switch_branch = Signal(object, int)  # show another version of a turn; the Message, and -1 or 1
    # open the card of a find; the Source, and the widget it was asked from
    show_source = Signal(object, object)
    # open the card of a number in an answer; the Turn, the number, and where
    show_citation = Signal(object, int, QPoint)
    show_why = Signal(str)  # show why an answer came out as it did; its id
    show_found = Signal(str)  # show all that was found for an answer; its id
    undo_receipt = Signal(object)  # undo what was remembered; the Receipt
    # edit what was remembered; its id, its text, and the widget it was asked from
    edit_memory = Signal(str, str, object)
    # forget a memory that an order meant; its id, and the order's message
    forget_meant = Signal(str, str)
    unforget = Signal(object)  # bring forgotten memories back; their ids
    erase = Signal(object)  # erase memories for good; their ids
    # an order does not mean a memory; the answer's id, and the memory's
    leave_out = Signal(str, str)
    follow_link = Signal(str, QPoint)  # open an address; the address and where it was clicked
