"""Read conversations again for what was missed: in the background, a few at a time."""

from app.memory.review.job import Review

__all__ = ("Review",)
