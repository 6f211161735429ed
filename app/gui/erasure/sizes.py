"""Bytes as a person reads them."""

_UNITS = ("bytes", "KB", "MB", "GB", "TB")


def size(number: int) -> str:
    """Return "812 bytes", "14.2 MB" and the like."""
    amount, unit = float(number), 0
    while amount >= 1000 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{amount:.0f} {_UNITS[unit]}" if unit == 0 else f"{amount:.1f} {_UNITS[unit]}"
