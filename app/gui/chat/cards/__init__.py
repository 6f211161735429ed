"""The parts of a conversation that a person looks at: messages, receipts, sources."""
