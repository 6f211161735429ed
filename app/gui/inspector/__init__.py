"""The memory inspector: every memory, how Loci came to it, and what can be done with it."""
