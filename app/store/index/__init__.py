"""What is derived from rows and can be rebuilt: words, trigrams, vectors and counts of words."""
