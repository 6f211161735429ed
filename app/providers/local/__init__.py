"""Models that run on this computer, in processes of their own, and their files."""
