"""The lines of a comparison: one per contender, ours first, and what is asked beside the peer that it is about.

The ratio is the median of the rounds' own ratios, with the lowest and the highest behind it. Where the cost is asked
about, it is our cost over theirs; otherwise our speed over theirs.
"""

from __future__ import annotations

from collections.abc import Iterator

from bench.harness.figures import OURS, Asked, Outcome

HEADER = ["work", "who", "figure", "ours to theirs", "p50", "p99", "CPU a unit", "memory", "asked", "reached"]


def lines(outcomes: list[Outcome]) -> list[list[str]]:
    return [line for outcome in outcomes for line in _of_row(outcome)]


def verdict(outcome: Outcome, asked: Asked) -> str:
    reached = outcome.reached(asked)
    if reached is None:
        return "NOT MEASURED" if asked.must else "not measured"
    if reached:
        return "yes"
    return "NO, a must" if asked.must else "no"


def wanted(outcome: Outcome, asked: Asked) -> str:
    """The requirement, in words."""
    if asked.against is None:
        return f"at most {asked.ratio:g} {outcome.row.unit}"
    return f"at most {asked.ratio:g}x the cost" if asked.at_most else f"at least {asked.ratio:g}"


def shown_ratios(outcome: Outcome, name: str) -> list[float]:
    """Round by round, the way round that is asked about: of speeds, or of costs."""
    ratios = outcome.ratios(name)
    return [1 / ratio for ratio in ratios] if compares_costs(outcome, name) else ratios


def compares_costs(outcome: Outcome, name: str) -> bool:
    return outcome.row.cost or any(asked.at_most for asked in outcome.row.asked if asked.against == name)


def amount(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _of_row(outcome: Outcome) -> Iterator[list[str]]:
    row = outcome.row
    for number, name in enumerate(_names(outcome)):
        asked = [one for one in row.asked if (one.against or OURS) == name]
        yield [
            row.work if number == 0 else "",
            name,
            _figure(outcome, name),
            _ratio(outcome, name) if name != OURS else "",
            _milliseconds(outcome.middle(name, "p50_ms")),
            _milliseconds(outcome.middle(name, "p99_ms")),
            _processor(outcome.middle(name, "cpu_us")),
            "" if row.cost else _megabytes(outcome.middle(name, "memory_mb")),
            "; ".join(wanted(outcome, one) for one in asked),
            "; ".join(verdict(outcome, one) for one in asked),
        ]


def _names(outcome: Outcome) -> list[str]:
    """Those who ran, and those whom something is asked against although they could not be had."""
    names = list(outcome.row.contenders)
    return names + [asked.against for asked in outcome.row.asked if asked.against and asked.against not in names]


def _figure(outcome: Outcome, name: str) -> str:
    if name not in outcome.row.contenders:
        return "missing"
    rate = outcome.rate(name)
    if not rate:
        return "void"
    return f"{amount(1 / rate if outcome.row.cost else rate)} {outcome.row.unit}"


def _ratio(outcome: Outcome, name: str) -> str:
    ratios = sorted(shown_ratios(outcome, name))
    ratio = outcome.ratio(name)
    if not ratio:
        return ""
    middle = amount(1 / ratio if compares_costs(outcome, name) else ratio)
    return f"{middle} ({amount(ratios[0])} to {amount(ratios[-1])})" if len(ratios) > 1 else middle


def _milliseconds(value: float | None) -> str:
    return "" if value is None else f"{amount(value)} ms"


def _processor(value: float | None) -> str:
    if value is None:
        return ""
    if value >= 10_000_000:
        return f"{amount(value / 1_000_000)} s"
    return f"{amount(value / 1000)} ms" if value >= 10_000 else f"{amount(value)} µs"


def _megabytes(value: float | None) -> str:
    return "" if value is None else f"{value:.0f} MB"
