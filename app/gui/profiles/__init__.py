"""Profiles: making, renaming and erasing them, unlocking them, and mending them."""
