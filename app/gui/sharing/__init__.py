"""What may leave this computer: shown, asked and changed."""
