"""Recall: find what is known about a question, and say how it was found."""
