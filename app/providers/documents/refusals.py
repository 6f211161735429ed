"""Why a file cannot be read, in one sentence each."""

from app.domain.limits import LARGEST_DOCUMENT, LONGEST_DOCUMENT
from app.files import size

NOT_TEXT = "“{}” is not text, and no kind of document that Loci reads."
PICTURE = "“{}” is a picture; Loci reads no pictures yet, only text, PDF and Word files."
OLD_WORD = "“{}” is protected by a password or of an old kind; save it as .docx without one."
LOCKED = "“{}” is protected by a password; save a copy without one and attach that."
SCANNED = "“{}” holds no text, only pictures of pages, which Loci cannot read."
EMPTY = "There is no text in “{}”."
DAMAGED = "“{}” is damaged, or is not what its name says; it could not be read."
LARGE = f"“{{}}” is larger than {size(LARGEST_DOCUMENT)}; attach part of it instead."
LONG = f"“{{}}” has more than {LONGEST_DOCUMENT:,} characters; attach part of it instead."
SLOW = "“{}” took too long to read, so reading it was stopped."
HEAVY = "“{}” takes more memory to read than Loci gives to one file."
UNREADABLE = "“{}” could not be read: {}."
MISSING = "Loci was installed without what reads PDF files, so “{}” could not be read."


class Unreadable(Exception):
    """A file cannot be read; its text is one of the sentences, without the name of the file."""
