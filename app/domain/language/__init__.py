"""What the form of a text tells by itself: questions, quotations, letters, foreign values."""
