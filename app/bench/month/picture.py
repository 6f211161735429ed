"""Draw the simulated month: what was remembered, day by day, and what the person did, as SVG."""

from collections.abc import Callable, Mapping, Sequence
from html import escape

INK, FAINT, GRID = "#1f2430", "#5b6374", "#d9dde5"
COLOURS = ("#2f6fde", "#2a9d6f", "#e07a1f", "#8a55c8", "#8b919e")
FONT = "font-family='Inter, Segoe UI, Helvetica, Arial, sans-serif'"
WIDTH, HEIGHT = 860, 460
LEFT, TOP, RIGHT, BOTTOM = 60, 130, 830, 400
TITLE = "A month of memories, night by night"
# What the person did, in a word; what they do every few days is not drawn.
DEEDS = {
    "forget": "forgets",
    "erase": "erases",
    "bring_in": "brings in",
    "revert": "reverts",
    "import": "imports",
}


def picture(series: Mapping[str, Sequence[int]], deeds: Sequence[Sequence[str]]) -> str:
    """Return the picture: a line for each series, by night, and the deeds of each day."""
    days = len(deeds)
    most = max(1, *(number for line in series.values() for number in line))
    step = next(s for s in (5, 10, 20, 25, 50, 100, 250, 500, most) if most / s <= 8)
    parts = [_legend(list(series))]

    def across(day: int) -> float:
        return LEFT + (RIGHT - LEFT) * (day - 1) / max(days - 1, 1)

    def up(number: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * number / (step * -(-most // step))

    for number in range(0, step * -(-most // step) + 1, step):
        parts.append(_line(LEFT, up(number), RIGHT, up(number)))
        parts.append(_text(LEFT - 10, up(number) + 4, str(number), "end"))
    marked = {1, days, *range(5, days - 1, 5)}
    parts += [_text(across(day), BOTTOM + 20, str(day), "middle") for day in sorted(marked)]
    parts.append(_text((LEFT + RIGHT) / 2, BOTTOM + 42, "day", "middle"))
    parts += _marks(deeds, across)
    for colour, line in zip(COLOURS, series.values(), strict=True):
        points = " ".join(f"{across(n):.1f},{up(v):.1f}" for n, v in enumerate(line, start=1))
        parts.append(
            f"<polyline points='{points}' fill='none' stroke='{colour}' stroke-width='2.5'"
            " stroke-linejoin='round'/>"
        )
    return _framed(parts)


def _marks(deeds: Sequence[Sequence[str]], across: Callable[[int], float]) -> list[str]:
    """Return a dashed line and a word for what the person did, on two levels."""
    parts: list[str] = []
    every = [(day, deed) for day, done in enumerate(deeds, start=1) for deed in done]
    marked = [(day, DEEDS[deed]) for day, deed in every if deed in DEEDS]
    for number, (day, word) in enumerate(marked):
        x, y = across(day), TOP - 28 + 16 * (number % 2)
        parts.append(_line(x, y + 5, x, BOTTOM, " stroke-dasharray='2 4'"))
        parts.append(_text(x, y, word, "middle"))
    return parts


def _legend(names: Sequence[str]) -> str:
    parts, x = [], float(LEFT)
    for colour, name in zip(COLOURS, names, strict=True):
        parts.append(f"<rect x='{x:.0f}' y='50' width='12' height='12' rx='2' fill='{colour}'/>")
        parts.append(_text(x + 18, 60, name))
        x += 40 + 6.9 * len(name)
    return "".join(parts)


def _line(x: float, y: float, to_x: float, to_y: float, more: str = "") -> str:
    return (
        f"<line x1='{x:.1f}' y1='{y:.1f}' x2='{to_x:.1f}' y2='{to_y:.1f}' stroke='{GRID}'"
        f" stroke-width='1'{more}/>"
    )


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' fill='{FAINT}' font-size='12' {FONT}"
        f" text-anchor='{anchor}'>{escape(text)}</text>"
    )


def _framed(parts: Sequence[str]) -> str:
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}'"
        f" width='{WIDTH}' height='{HEIGHT}' role='img'><title>{escape(TITLE)}</title>"
        f"<rect width='{WIDTH}' height='{HEIGHT}' fill='#ffffff'/>"
        f"<text x='24' y='28' fill='{INK}' font-size='17' font-weight='600' {FONT}>"
        f"{escape(TITLE)}</text>{''.join(parts)}</svg>\n"
    )
