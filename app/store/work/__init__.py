"""What the background keeps between two runs: its queue, how far it came, what it took."""
