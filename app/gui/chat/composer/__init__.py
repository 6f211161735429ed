"""Where a message is written: the card, its field, drafts and attached files."""
