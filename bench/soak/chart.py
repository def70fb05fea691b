"""The soak's curve as an SVG: latency by percentile above, memory below, over the same minutes.

Colours follow the reader's light or dark mode. Latency is on a logarithmic scale, since its percentiles differ by
tens of times; memory begins at zero, so that flat looks flat.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

_WIDTH, _HEIGHT = 860, 500
_LEFT, _RIGHT = 64, 770
_STYLE = """
  svg { --back: #ffffff; --ink: #1f2328; --soft: #59636e; --grid: #d8dee4 }
  svg { --a: #0969da; --b: #bc4c00; --c: #8250df; --d: #1a7f37 }
  @media (prefers-color-scheme: dark) {
    svg { --back: #0d1117; --ink: #e6edf3; --soft: #9198a1; --grid: #30363d }
    svg { --a: #58a6ff; --b: #f0883e; --c: #bc8cff; --d: #3fb950 }
  }
  text { font: 12px system-ui, sans-serif; fill: var(--soft) }
  .title { font-size: 14px; font-weight: 600; fill: var(--ink) }
  .grid { stroke: var(--grid) }
  .line { fill: none; stroke-width: 2; stroke-linejoin: round }
"""

Points = list[tuple[float, float]]


class Panel(NamedTuple):
    """A rectangle of the picture between two values; `log` for a logarithmic scale."""

    top: float
    bottom: float
    low: float
    high: float
    seconds: float
    log: bool = False

    def x(self, at: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * at / self.seconds

    def y(self, value: float) -> float:
        share = (self._scaled(value) - self._scaled(self.low)) / (self._scaled(self.high) - self._scaled(self.low))
        return self.bottom - (self.bottom - self.top) * share

    def _scaled(self, value: float) -> float:
        return math.log10(value) if self.log else value


def draw(data: dict[str, Any]) -> str:
    box = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    label = "Latency percentiles and memory of the server over the soak"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" aria-label="{label}">',
            f"<style>{_STYLE}</style>",
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="var(--back)"/>',
            *_latency(data),
            *_memory(data),
            f'<text x="{(_LEFT + _RIGHT) / 2}" y="{_HEIGHT - 10}" text-anchor="middle">minutes</text>',
            "</svg>\n",
        ]
    )


def _latency(data: dict[str, Any]) -> list[str]:
    windows = [window for window in data["windows"] if window["count"]]
    width = data["minutes"] * 60 / len(data["windows"])
    lines: dict[str, Points] = {
        name: [(window["at"] + width / 2, max(0.01, window[figure])) for window in windows]
        for name, figure in (("p50", "p50"), ("p99", "p99"), ("p99.9", "p999"))
    }
    values = [value for points in lines.values() for _, value in points]
    low, high = 10 ** math.floor(math.log10(min(values))), 10 ** math.ceil(math.log10(max(values)))
    panel = Panel(50, 290, low, max(high, low * 10), data["minutes"] * 60, log=True)
    ticks = [10.0**power for power in range(round(math.log10(panel.low)), round(math.log10(panel.high)) + 1)]
    title = f"Latency from the time a request was due, at {data['rate']:,.0f} requests/s (ms)"
    drawn = [_line(panel, points, f"--{colour}") for points, colour in zip(lines.values(), "abc", strict=True)]
    return [*_frame(panel, title, ticks), *drawn, *_names(panel, lines)]


def _memory(data: dict[str, Any]) -> list[str]:
    points: Points = [(sample["at"], sample["mb"]) for sample in data["memory"]]
    step = _round_step(max(value for _, value in points) * 1.15 / 3)
    panel = Panel(345, 455, 0, 3 * step, data["minutes"] * 60)
    frame = _frame(panel, "Memory of the server (MB)", [step * number for number in range(4)])
    return [*frame, _line(panel, points, "--d"), *_minutes(panel)]


def _round_step(least: float) -> float:
    power = float(10 ** math.floor(math.log10(least)))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= least)


def _frame(panel: Panel, title: str, ticks: list[float]) -> list[str]:
    drawn = [f'<text class="title" x="{_LEFT}" y="{panel.top - 16}">{title}</text>']
    for tick in ticks:
        y = panel.y(tick)
        drawn.append(f'<line class="grid" x1="{_LEFT}" x2="{_RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        drawn.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>')
    return drawn


def _line(panel: Panel, points: Points, colour: str) -> str:
    path = " ".join(f"{panel.x(at):.1f},{panel.y(value):.1f}" for at, value in points)
    return f'<polyline class="line" style="stroke: var({colour})" points="{path}"/>'


def _names(panel: Panel, lines: dict[str, Points]) -> list[str]:
    """Beside the end of each line, from the highest down, pushed apart where they would overlap."""
    drawn = []
    free_from = -math.inf
    for (name, points), colour in reversed(list(zip(lines.items(), "abc", strict=True))):
        last = points[-1][1]
        y = max(panel.y(last) + 4, free_from)
        free_from = y + 15
        text = f"{name} {last:.{0 if last >= 10 else 1}f}"
        drawn.append(f'<text x="{_RIGHT + 8}" y="{y:.1f}" style="fill: var(--{colour})">{text}</text>')
    return drawn


def _minutes(panel: Panel) -> list[str]:
    step = 60 if panel.seconds >= 120 else 10
    marks = range(0, int(panel.seconds) + 1, step)
    return [
        f'<text x="{panel.x(at):.1f}" y="{panel.bottom + 18}" text-anchor="middle">{at / 60:.2g}</text>' for at in marks
    ]
