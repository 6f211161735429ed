"""What a model writes down: whether the person said it, and how it is kept and read."""
