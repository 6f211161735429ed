"""What a model is shown of a conversation, and the tools that it may call."""
