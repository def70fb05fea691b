"""A strict reader of the Prometheus text format: what it does not know, it refuses."""

import re
from dataclasses import dataclass, field

_NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
_LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)')
_SAMPLE = re.compile(rf"({_NAME})(?:\{{(.*)\}})? (\S+)")
_SUFFIXES = {"counter": ("",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}
Labels = frozenset[tuple[str, str]]


@dataclass
class Family:
    kind: str
    samples: dict[tuple[str, Labels], float] = field(default_factory=dict)


def parse(text: str) -> dict[str, Family]:
    """The families by name. Raises AssertionError where the text is not as the format demands."""
    assert text == "" or text.endswith("\n")
    families: dict[str, Family] = {}
    helped, current = "", ""
    for line in text.split("\n")[:-1]:
        if line.startswith("# HELP "):
            helped = line.split(" ")[2]
            assert helped not in families, "a family comes once"
        elif line.startswith("# TYPE "):
            _, _, current, kind = line.split(" ")
            assert current == helped
            families[current] = Family(kind)
        else:
            _add(families[current], current, line)
    for name, family in families.items():
        if family.kind == "histogram":
            _check_histogram(name, family)
    return families


def value(families: dict[str, Family], name: str, **labels: str) -> float:
    """The value of a counter; one that was never counted is 0."""
    family = families.get(name)
    return family.samples.get((name, frozenset(labels.items())), 0.0) if family else 0.0


def _add(family: Family, name: str, line: str) -> None:
    sample = _SAMPLE.fullmatch(line)
    assert sample, line
    assert sample[1] in [name + suffix for suffix in _SUFFIXES[family.kind]], line
    key = sample[1], _labels(sample[2] or "")
    assert key not in family.samples, "a series comes once"
    family.samples[key] = float(sample[3])


def _labels(text: str) -> Labels:
    found: list[tuple[str, str]] = []
    while text:
        label = _LABEL.match(text)
        assert label, text
        found.append((label[1], label[2]))
        text = text[label.end() :]
    assert len(dict(found)) == len(found)
    return frozenset(found)


def _check_histogram(name: str, family: Family) -> None:
    buckets: dict[Labels, list[tuple[float, float]]] = {}
    for (sample, labels), count in family.samples.items():
        if sample == name + "_bucket":
            [bound] = [float(text) for label, text in labels if label == "le"]
            rest = frozenset(pair for pair in labels if pair[0] != "le")
            buckets.setdefault(rest, []).append((bound, count))
    for labels, counts in buckets.items():
        ordered = [count for _, count in sorted(counts)]
        assert ordered == sorted(ordered), "buckets are cumulative"
        assert max(counts)[0] == float("inf")
        assert ordered[-1] == family.samples[name + "_count", labels]
        assert family.samples[name + "_sum", labels] >= 0
