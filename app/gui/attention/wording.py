"""How the screen of what waits says things: why two memories clash, and what was decided."""

from app.domain.contradiction import Clash, Contradiction, Settlement

KINDS = {
    Clash.KEY: "They say different things about the same matter.",
    Clash.SLOT: "Probably only one of these is true.",
    Clash.CLOSING: "One says that it is so, the other that it no longer is.",
}


def settled(pair: Contradiction, how: Settlement, text: str) -> str:
    """Return what was decided about two memories, in a sentence."""
    words = {
        Settlement.KEEP_OLDER: f"Kept: {pair.older.text}",
        Settlement.KEEP_NEWER: f"Kept: {pair.newer.text}",
        Settlement.KEEP_BOTH: "Kept both",
        Settlement.MERGE: f"Kept instead: {text}",
        Settlement.EDIT: f"Changed to: {text}",
    }
    return f"{words[how].rstrip('.')}."
