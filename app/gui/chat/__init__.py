"""The chat: what is said, what was remembered of it, and why an answer came out as it did."""
