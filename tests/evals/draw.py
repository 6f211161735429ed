"""Draw what was measured: the pictures of ``resources/docs/recall.md``.

Reads the JSON that ``tests.evals.ablation`` and ``loci bench speed`` print, and writes SVG::

    .venv/bin/python -m tests.evals.draw ablation ablation.json recall-ablation.svg
    .venv/bin/python -m tests.evals.draw latency latency.json recall-latency.svg

``latency.json`` is ``{"title of a line": {"rows": milliseconds, ...}, ...}``.
"""

import json
import sys
from collections.abc import Sequence
from html import escape
from math import log10
from pathlib import Path
from typing import Any

INK, FAINT, GRID = "#1f2430", "#5b6374", "#d9dde5"
COLOURS = ("#2f6fde", "#e07a1f", "#2a9d6f", "#8a55c8")
FONT = "font-family='Inter, Segoe UI, Helvetica, Arial, sans-serif'"
WIDTH, LABEL, ROW, BAR = 860, 330, 46, 14
Figures = dict[str, Any]


def main(arguments: Sequence[str]) -> None:
    """Draw one picture."""
    kind, source, target = arguments
    figures = json.loads(Path(source).read_text("utf-8"))
    drawn = ablation(figures) if kind == "ablation" else latency(figures)
    Path(target).write_text(drawn, "utf-8")


def ablation(figures: Figures) -> str:
    """Return bars: recall@5 after each step, one colour for each set of questions.

    Args:
        figures: ``{set: {step: {"recall@5": …}}}``, the steps the same in every set.
    """
    sets = list(figures)
    steps = list(figures[sets[0]])
    height = 64 + ROW * len(steps) + 36
    parts = [_legend(sets, LABEL)]
    scale = WIDTH - LABEL - 60
    for tenth in range(0, 11, 2):
        x = LABEL + scale * tenth / 10
        parts.append(_line(x, 48, x, height - 30, GRID))
        parts.append(_text(x, height - 12, f"{tenth / 10:.1f}", FAINT, 12, "middle"))
    for n, step in enumerate(steps):
        y = 58 + ROW * n
        parts.append(_text(LABEL - 14, y + 19, step, INK, 14, "end"))
        for at, name in enumerate(sets):
            value = figures[name][step]["recall@5"]
            top = y + at * (BAR + 3)
            wide = scale * value
            parts.append(
                f"<rect x='{LABEL}' y='{top}' width='{wide:.1f}' height='{BAR}' rx='2'"
                f" fill='{COLOURS[at]}'/>"
            )
            parts.append(_text(LABEL + wide + 6, top + 12, f"{value:.3f}"[1:], FAINT, 12))
    return _picture(height, "Recall@5, step by step", parts)


def latency(figures: Figures) -> str:
    """Return lines: milliseconds by number of rows, both logarithmic."""
    left, top, right, bottom = 70, 60, WIDTH - 50, 400
    every = [(int(n), ms) for line in figures.values() for n, ms in line.items()]
    first, last = min(n for n, _ in every), max(n for n, _ in every)
    low, high = 10.0, 1000.0

    def place(rows: int, ms: float) -> tuple[float, float]:
        across = log10(rows / first) / max(log10(last / first), 1e-9)
        up = log10(ms / low) / log10(high / low)
        return left + across * (right - left), bottom - up * (bottom - top)

    parts = [_legend(list(figures), left)]
    for ms in (10, 20, 50, 100, 200, 500, 1000):
        y = place(first, ms)[1]
        parts.append(_line(left, y, right, y, GRID))
        parts.append(_text(left - 10, y + 4, f"{ms} ms", FAINT, 12, "end"))
    for rows in sorted({n for n, _ in every}):
        parts.append(_text(place(rows, low)[0], bottom + 22, f"{rows:,}", FAINT, 12, "middle"))
    parts.append(_text((left + right) / 2, bottom + 44, "memories and messages", INK, 13, "middle"))
    for colour, line in zip(COLOURS, figures.values(), strict=False):
        points = [place(int(n), ms) for n, ms in sorted(line.items(), key=lambda p: int(p[0]))]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f"<polyline points='{path}' fill='none' stroke='{colour}' stroke-width='2'/>")
        parts += [f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3.5' fill='{colour}'/>" for x, y in points]
    return _picture(bottom + 60, "Recall, 95th percentile", parts)


def _legend(names: Sequence[str], left: float) -> str:
    parts, x = [], left
    for colour, name in zip(COLOURS, names, strict=False):
        parts.append(f"<rect x='{x:.0f}' y='34' width='12' height='12' rx='2' fill='{colour}'/>")
        parts.append(_text(x + 18, 44, name, FAINT, 13))
        x += 40 + 7.2 * len(name)
    return "".join(parts)


def _line(x: float, y: float, to_x: float, to_y: float, colour: str) -> str:
    return (
        f"<line x1='{x:.1f}' y1='{y:.1f}' x2='{to_x:.1f}' y2='{to_y:.1f}'"
        f" stroke='{colour}' stroke-width='1'/>"
    )


def _text(x: float, y: float, text: str, colour: str, size: int, anchor: str = "start") -> str:
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' fill='{colour}' font-size='{size}' {FONT}"
        f" text-anchor='{anchor}'>{escape(text)}</text>"
    )


def _picture(height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height:.0f}'"
        f" width='{WIDTH}' height='{height:.0f}' role='img'>"
        f"<title>{escape(title)}</title>"
        f"<rect width='{WIDTH}' height='{height:.0f}' fill='#ffffff'/>"
        f"<text x='24' y='24' fill='{INK}' font-size='17' font-weight='600' {FONT}>"
        f"{escape(title)}</text>{''.join(parts)}</svg>\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
