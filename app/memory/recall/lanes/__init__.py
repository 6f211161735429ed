"""The ways of finding: those that start from the question, and those that start from the finds."""
