"""The screen of what waits for the person: memories to accept, and contradictions to settle."""
