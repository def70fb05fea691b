"""The words of a comparison.

A `Row` is one kind of work and those who do it: `ours` first, then the peers. A `Contender` does the work for about as
many seconds as it is told and returns a `Sample`; it checks what it was answered and raises `Void` when an answer is
wrong or empty, because a fast wrong answer is not a figure. `Asked` is what the project set itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median


class Void(Exception):
    """An answer was wrong, so this contender has no figure in this row."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One turn of one contender. `rate` is units a second, and more is better."""

    rate: float
    p50_ms: float | None = None
    p99_ms: float | None = None
    cpu_us: float | None = None  # user and system time of all its processes, per unit
    memory_mb: float | None = None  # resident, all its processes, at the end of the turn


Contender = Callable[[float], Sample]


@dataclass(frozen=True, slots=True)
class Asked:
    """`ours / against` has to be at least `ratio`; with `at_most`, our cost is at most `ratio` times theirs.

    Against nobody, `ratio` is the most that a row of costs may show for us, in its unit.
    """

    against: str | None
    ratio: float
    at_most: bool = False
    must: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    work: str  # "get one task"
    unit: str  # "requests/s", "MiB/s", "images/s"
    contenders: dict[str, Contender]  # by name, ours (`OURS`) first
    asked: tuple[Asked, ...] = ()
    missing: tuple[str, ...] = ()  # peers that could not be had, with the reason
    rounds: int | None = None  # fewer for work that takes long
    seconds: float | None = None
    note: str = ""  # one sentence on what makes the comparison fair or unfair
    cost: bool = False  # the unit is a cost ("MB", "s"): a sample's rate is one over it, and the report shows the cost


OURS = "Stowboard"


@dataclass(slots=True)
class Outcome:
    """The results of the rounds of one row."""

    row: Row
    samples: dict[str, list[Sample]] = field(default_factory=dict)
    void: dict[str, str] = field(default_factory=dict)

    def rate(self, name: str) -> float | None:
        return self.middle(name, "rate")

    def middle(self, name: str, figure: str) -> float | None:
        """The median over the rounds; None when nobody measured it."""
        values = [value for sample in self.samples.get(name, []) if (value := getattr(sample, figure)) is not None]
        return median(values) if values and name not in self.void else None

    def ratios(self, name: str) -> list[float]:
        """Ours beside theirs, round by round: neighbours in time share the machine's mood."""
        if OURS in self.void or name in self.void:
            return []
        pairs = zip(self.samples.get(OURS, []), self.samples.get(name, []), strict=False)
        return [ours.rate / theirs.rate for ours, theirs in pairs if theirs.rate]

    def ratio(self, name: str) -> float | None:
        ratios = self.ratios(name)
        return median(ratios) if ratios else None

    def reached(self, asked: Asked) -> bool | None:
        """None when there is nothing to compare with."""
        ratio = self.rate(OURS) if asked.against is None else self.ratio(asked.against)
        if ratio is None:
            return None
        return 1 / ratio <= asked.ratio if asked.at_most or asked.against is None else ratio >= asked.ratio
