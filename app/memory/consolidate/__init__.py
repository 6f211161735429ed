"""Fold what was said repeatedly into observations: one for each cluster of like statements."""
