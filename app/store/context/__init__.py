"""Summaries of conversations: kept, read as what a model is shown, searched and checked."""
