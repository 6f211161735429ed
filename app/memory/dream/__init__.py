"""Tidying at night: prune what is stale, mark contradictions, condense many entries into few."""
