"""When work is due that nobody waits for."""
