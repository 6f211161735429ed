"""What can be told from the words of a statement alone."""
