"""The settings screen, generated from the settings table."""
