"""Read conversations again for what was missed: in the background, a few at a time."""

from app.memory.review.job import ReviewJob

__all__ = ("ReviewJob",)
