"""How the evidence of a memory is worded, on whichever screen it is shown."""

ASKED_TO_KEEP = "Not your words; you asked to remember them."
