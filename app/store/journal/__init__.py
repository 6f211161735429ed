"""What changed, when and why: the journal, its undo, the past and what must stay away."""
