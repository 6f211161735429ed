"""What models took: tokens read and written, and what that cost."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spent:
    """What one kind of work took in a stretch of time.

    Attributes:
        purpose: ``chat``, or the kind of job.
        model: Which model, as the person knows it.
        local: Whether it runs on this computer.
        counted: Whether the provider counted every token; else some are estimated.
        cost: In the person's currency, at the prices set when it was spent.
    """

    purpose: str
    model: str
    local: bool
    calls: int
    prompt_tokens: int
    completion_tokens: int
    counted: bool
    cost: float
