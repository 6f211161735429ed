"""How long a test of the window waits for something that may take long."""

LONG = 20_000  # milliseconds
