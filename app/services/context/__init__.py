"""What a model is shown of a long conversation, and summing it up in the background."""
