"""Tools of a conversation: what a model may do with it and with memory."""
