"""A bar chart per suite, as plain SVG: a bar is our speed in multiples of the peer's, a tick is what is asked.

Costs are drawn apart, because less is better there: a bar is the share of what is allowed. A thin line shows the lowest
and highest round. The picture brings its own background, light or dark as its reader prefers, so it can be read on
any page.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from bench.harness.figures import OURS, Asked, Outcome
from bench.report import table
from bench.report.record import Record

WIDTH, LABELS, VALUES = 920, 390, 150
LINE, BAR, HEAD, MARGIN = 46, 18, 40, 20
LENGTH = WIDTH - LABELS - VALUES - MARGIN
STYLE = """
  text { font: 13px system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; fill: #1f2328; }
  .title { font-size: 16px; font-weight: 600; } .work { font-weight: 600; } .value { font-weight: 600; }
  .quiet { fill: #59636e; font-size: 12px; }
  .page { fill: #ffffff; stroke: #d1d9e0; } .track { fill: #eef1f4; }
  .reached { fill: #1a7f64; } .missed { fill: #c2410c; } .free { fill: #4f6d9c; }
  .asked { stroke: #1f2328; stroke-width: 2; } .spread { stroke: #1f2328; stroke-width: 1; opacity: .55; }
  .even { stroke: #8c959f; stroke-dasharray: 3 3; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; } .quiet { fill: #9198a1; }
    .page { fill: #0d1117; stroke: #3d444d; } .track { fill: #1c2128; }
    .reached { fill: #2ea987; } .missed { fill: #f0803c; } .free { fill: #7f9fd1; }
    .asked, .spread { stroke: #f0f6fc; } .even { stroke: #656c76; }
  }
"""


@dataclass(frozen=True, slots=True)
class Bar:
    work: str
    beside: str  # whom with, and what is asked
    value: str
    length: float | None  # in the group's measure; None: there is no figure
    lowest: float = 0.0
    highest: float = 0.0
    asked: float | None = None
    look: str = "free"


def write(done: Record, file: Path) -> None:
    file.write_text(draw(done))


def draw(done: Record) -> str:
    speeds = [bar for outcome in done.outcomes for bar in _bars(outcome, costs=False)]
    costs = [bar for outcome in done.outcomes for bar in _bars(outcome, costs=True)]
    parts, top = [_text(MARGIN, 32, done.title, "title")], 48
    if speeds:
        parts += _group(
            speeds, top, "times the peer's speed, more is better; dashed: as fast as the peer; tick: asked", 1.0
        )
        top += HEAD + LINE * len(speeds)
    if costs:
        parts += _group(costs, top, "share of the cost that is allowed, less is better; tick: all of it", None)
        top += HEAD + LINE * len(costs)
    height = top + MARGIN
    page = f'<rect class="page" x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>'
    start = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    return "\n".join([f'{start} role="img">', f"<style>{STYLE}</style>", page, *parts, "</svg>\n"])


def _bars(outcome: Outcome, costs: bool) -> list[Bar]:
    peers = [name for name in outcome.row.contenders if name != OURS]
    peers += [one.against for one in outcome.row.asked if one.against and one.against not in peers]
    bars = [_beside_peer(outcome, name) for name in peers if table.compares_costs(outcome, name) == costs]
    return bars + [_alone(outcome, asked) for asked in outcome.row.asked if asked.against is None and costs]


def _beside_peer(outcome: Outcome, name: str) -> Bar:
    asked = next((one for one in outcome.row.asked if one.against == name), None)
    beside = f"{name}, {table.wanted(outcome, asked)} asked" if asked else name
    ratio, ratios = outcome.ratio(name), table.shown_ratios(outcome, name)
    if ratio is None:
        return Bar(outcome.row.work, beside, "void" if name in outcome.row.contenders else "missing", None)
    look = _look(outcome, asked)
    if not table.compares_costs(outcome, name):
        value = f"{table.amount(ratio)}x"
        return Bar(
            outcome.row.work, beside, value, ratio, min(ratios), max(ratios), asked.ratio if asked else None, look
        )
    allowed = asked.ratio if asked else 1.0
    value = f"{table.amount(1 / ratio)}x the cost"
    return _of_allowed(Bar(outcome.row.work, beside, value, 1 / ratio, min(ratios), max(ratios), allowed, look))


def _alone(outcome: Outcome, asked: Asked) -> Bar:
    costs = [1 / sample.rate for sample in outcome.samples.get(OURS, [])]
    rate = outcome.rate(OURS)
    if rate is None:
        return Bar(outcome.row.work, table.wanted(outcome, asked), "void", None)
    value = f"{table.amount(1 / rate)} {outcome.row.unit}"
    beside = f"{table.wanted(outcome, asked)} asked"
    bar = Bar(outcome.row.work, beside, value, 1 / rate, min(costs), max(costs), asked.ratio, _look(outcome, asked))
    return _of_allowed(bar)


def _of_allowed(bar: Bar) -> Bar:
    """Costs of different kinds have one measure in common: what is allowed."""
    assert bar.length is not None
    most = bar.asked or 1.0
    return Bar(
        bar.work, bar.beside, bar.value, bar.length / most, bar.lowest / most, bar.highest / most, 1.0, bar.look
    )  # fmt: skip


def _look(outcome: Outcome, asked: Asked | None) -> str:
    if asked is None:
        return "free"
    return "reached" if outcome.reached(asked) else "missed"


def _group(bars: list[Bar], top: int, heading: str, even: float | None) -> list[str]:
    longest = max(1.1, *(max(bar.length or 0, bar.highest, bar.asked or 0) for bar in bars))
    scale = LENGTH / longest
    parts = [_text(LABELS, top + 18, heading, "quiet")]
    for number, bar in enumerate(bars):
        parts += _bar(bar, top + HEAD + number * LINE, scale)
    if even:
        x = LABELS + even * scale
        parts.append(_line("even", x, top + HEAD - 8, x, top + HEAD + LINE * len(bars) - 8))
    return parts


def _bar(bar: Bar, top: int, scale: float) -> list[str]:
    parts = [_text(MARGIN, top + 9, bar.work, "work"), _text(MARGIN, top + 26, bar.beside, "quiet")]
    parts.append(f'<rect class="track" x="{LABELS}" y="{top}" width="{LENGTH}" height="{BAR}" rx="3"/>')
    parts.append(_text(LABELS + LENGTH + 12, top + 14, bar.value, "value"))
    if bar.length is None:
        return parts
    width = bar.length * scale
    parts.append(f'<rect class="{bar.look}" x="{LABELS}" y="{top}" width="{width:.1f}" height="{BAR}" rx="3"/>')
    middle = top + BAR / 2
    parts.append(_line("spread", LABELS + bar.lowest * scale, middle, LABELS + bar.highest * scale, middle))
    if bar.asked is not None:
        parts.append(_line("asked", LABELS + bar.asked * scale, top - 4, LABELS + bar.asked * scale, top + BAR + 4))
    return parts


def _text(x: float, y: float, text: str, look: str) -> str:
    return f'<text class="{look}" x="{x:g}" y="{y:g}">{escape(text)}</text>'


def _line(look: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{look}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'
