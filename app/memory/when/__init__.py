"""Times in English words: what "last March" or "three weeks ago" means on a given day."""
