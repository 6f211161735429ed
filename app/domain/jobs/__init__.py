"""The nouns of work that takes long: how far it is, how it stops, what it takes."""
