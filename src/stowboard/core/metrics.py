"""Counters in the text format of Prometheus.

A family is declared once at the top of the module that feeds it and counts in a plain dict, so one count costs a
fraction of a microsecond. Worker processes of one host write their counts to files, and one of them adds these up.
"""

import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import chain
from typing import ClassVar, TypeAlias

import msgspec

Labels: TypeAlias = tuple[str, ...]
LATENCY_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class MetricSeries(msgspec.Struct, array_like=True):
    """One line of the text: the family's name with its suffix, the labels in order, and the value."""

    name: str
    labels: list[tuple[str, str]]
    value: float


class MetricFamily(msgspec.Struct, array_like=True):
    name: str
    kind: str
    help: str
    series: list[MetricSeries]
    #: True if every process measures the same thing, so that values are not added up.
    same_everywhere: bool = False


class _Figure:
    """A family with one line for each set of labels."""

    _kind: ClassVar[str]
    _same_everywhere: ClassVar[bool] = False

    def __init__(self, name: str, text: str, labels: Labels = ()) -> None:
        self._name, self._text, self._labels = name, text, labels
        self._values: dict[Labels, float] = defaultdict(float)
        _FAMILIES[name] = self.family

    def family(self) -> MetricFamily:
        lines = [
            MetricSeries(self._name, list(zip(self._labels, key, strict=True)), n) for key, n in self._values.items()
        ]
        return MetricFamily(self._name, self._kind, self._text, lines, self._same_everywhere)


class Counter(_Figure):
    _kind = "counter"

    def add(self, *values: str, by: float = 1) -> None:
        self._values[values] += by


class Gauge(_Figure):
    """A figure of the whole installation, read from the database: the same in every process."""

    _kind = "gauge"
    _same_everywhere = True

    def set_all(self, values: dict[Labels, float]) -> None:
        """Replace all values; labels that are not among them are gone."""
        self._values = values


class Histogram:
    def __init__(self, name: str, text: str, labels: Labels = (), bounds: tuple[float, ...] = LATENCY_SECONDS) -> None:
        self._name, self._text, self._labels, self._bounds = name, text, labels, bounds
        self._buckets: dict[Labels, list[int]] = {}
        self._sums: defaultdict[Labels, float] = defaultdict(float)
        _FAMILIES[name] = self.family

    def observe(self, value: float, *labels: str) -> None:
        buckets = self._buckets.get(labels)
        if buckets is None:
            buckets = self._buckets[labels] = [0] * (len(self._bounds) + 1)
        buckets[bisect.bisect_left(self._bounds, value)] += 1
        self._sums[labels] += value

    def family(self) -> MetricFamily:
        lines: list[MetricSeries] = []
        for key, buckets in self._buckets.items():
            labels, total = list(zip(self._labels, key, strict=True)), 0
            for bound, count in zip([*map(str, self._bounds), "+Inf"], buckets, strict=True):
                total += count
                lines.append(MetricSeries(f"{self._name}_bucket", [*labels, ("le", bound)], total))
            lines.append(MetricSeries(f"{self._name}_sum", labels, self._sums[key]))
            lines.append(MetricSeries(f"{self._name}_count", labels, total))
        return MetricFamily(self._name, "histogram", self._text, lines)


_FAMILIES: dict[str, Callable[[], MetricFamily]] = {}


def snapshot() -> list[MetricFamily]:
    """The metrics of this process."""
    return [family() for family in _FAMILIES.values()]


def merged(snapshots: Iterable[list[MetricFamily]]) -> list[MetricFamily]:
    """The sum over processes."""
    families: dict[str, MetricFamily] = {}
    totals: dict[str, dict[tuple[str, tuple[tuple[str, str], ...]], MetricSeries]] = defaultdict(dict)
    for family in chain.from_iterable(snapshots):
        families.setdefault(family.name, msgspec.structs.replace(family, series=[]))
        for series in family.series:
            key = series.name, tuple(series.labels)
            known = totals[family.name].setdefault(key, MetricSeries(series.name, series.labels, 0))
            known.value = max(known.value, series.value) if family.same_everywhere else known.value + series.value
    for name, family in families.items():
        family.series.extend(totals[name].values())
    return list(families.values())


def render(families: Iterable[MetricFamily]) -> str:
    lines: list[str] = []
    for family in families:
        lines += [f"# HELP {family.name} {family.help}", f"# TYPE {family.name} {family.kind}"]
        lines += [f"{series.name}{_labels(series.labels)} {series.value:.15g}" for series in family.series]
    return "".join(f"{line}\n" for line in lines)


def _labels(labels: list[tuple[str, str]]) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
