"""The soak in words: what was asked of it, what came of it, for RESULTS.md."""

from __future__ import annotations

from statistics import mean
from typing import Any, NamedTuple

from bench.soak.mix import SHARES

#: The second half's p99 beside the first's, and the memory of the last fifth beside that of the second.
MOST_LATENCY_GROWTH = 1.5
MOST_MEMORY_GROWTH = 1.1
#: In milliseconds, for each kind of request.
MOST_P99 = 50.0


class Verdict(NamedTuple):
    promise: str
    figure: str
    reached: bool


def verdicts(data: dict[str, Any]) -> list[Verdict]:
    first, second = (half["p99"] for half in data["halves"])
    early, late = _memory(data, 1), _memory(data, 4)
    slowest, p99 = max(((kind, data["kinds"][kind]["p99"] or 0.0) for kind in SHARES), key=lambda each: each[1])
    return [
        Verdict(
            "every answer right",
            f"{data['errors']:,} of {data['answers']:,} wrong or missing",
            data["errors"] == 0,
        ),
        Verdict(f"p99 of each kind at most {_ms(MOST_P99)}", f"{_ms(p99)} ({slowest})", p99 <= MOST_P99),
        Verdict(
            f"p99 flat: the second half at most {MOST_LATENCY_GROWTH} times the first",
            f"{_ms(first)}, then {_ms(second)}",
            second <= MOST_LATENCY_GROWTH * first,
        ),
        Verdict(
            f"memory flat: the last fifth of the time within {MOST_MEMORY_GROWTH - 1:.0%} of the second",
            f"{early:.0f} MB, then {late:.0f} MB",
            late <= MOST_MEMORY_GROWTH * early,
        ),
    ]


def section(data: dict[str, Any]) -> str:
    """A section of RESULTS.md."""
    best = max(data["maximum"], key=lambda step: step["rate"])
    lines = [
        f"## Soak, {data['processor']}",
        "",
        f"Measured {data['measured']} at commit {data['commit']} by `{data['command']}`, on {_machine(data)}.",
        "",
        f"{data['tasks']:,} tasks of {data['tokens']:,} tokens, one worker on SQLite, seeded in"
        f" {data['seed_seconds']:.0f} s. The maximum of the mix in a closed loop was {best['rate']:,.0f} requests/s"
        f" ({best['connections']} connections). Then an open loop at {data['rate'] / best['rate']:.0%} of it:"
        f" {data['rate']:,.0f} requests/s for {data['minutes']:g} minutes, due at times set beforehand (Poisson),"
        " latency counted from the time a request was due, not sent. Every answer was checked for its status and"
        f" content. The server used {data['server_cpu_us'] * data['rate'] / 1e6:.0%} of a core.",
        "",
        f"![Latency and memory over the soak](results/soak-{data['processor']}.svg)",
        "",
        "| asked | measured | |",
        "|---|---|---|",
        *(f"| {each.promise} | {each.figure} | {'yes' if each.reached else '**no**'} |" for each in verdicts(data)),
        "",
        "| request | share | answers | p50 | p99 | p99.9 | most |",
        "|---|---|---|---|---|---|---|",
        *(_row(kind, f"{share} %", data["kinds"][kind]) for kind, share in SHARES.items()),
        _row("all", "100 %", data["all"]),
        "",
        f"The generator shares the processors with the server. It took {data['generator_cpu_us']:.0f} µs of CPU a"
        f" request, the server {data['server_cpu_us']:.0f} µs. It sent its requests {_ms(data['late']['p50'])} late in"
        f" the median, {_ms(data['late']['p99'])} at the 99th percentile and {_ms(data['late']['most'])} at most,"
        " which is part of the latencies above.",
        "",
        *(f"Wrong: {fault} ({count} times)" for fault, count in data["faults"].items()),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _machine(data: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in data["machine"].items())


def _row(kind: str, share: str, figures: dict[str, Any]) -> str:
    cells = [_ms(figures[name]) for name in ("p50", "p99", "p999", "most")]
    return f"| {kind} | {share} | {figures['count']:,} | {' | '.join(cells)} |"


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f} ms" if value < 10 else f"{value:.0f} ms"


def _memory(data: dict[str, Any], fifth: int) -> float:
    """The mean over one fifth of the run, counted from 0."""
    length = data["minutes"] * 60 / 5
    samples: list[float] = [
        sample["mb"] for sample in data["memory"] if fifth * length <= sample["at"] <= (fifth + 1) * length
    ]
    return mean(samples)
