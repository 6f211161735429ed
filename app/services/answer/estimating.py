"""About how many tokens a text has, for what shows it before a model has counted."""


def estimated(text: str) -> int:
    """Return about how many tokens most models make of a text, and rather more than fewer."""
    from app.providers.estimate import Ratio, weigh  # brings numpy, which a start does without

    return Ratio().tokens(weigh(text)) if text else 0
