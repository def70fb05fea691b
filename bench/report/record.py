"""One run of one suite: its figures, and when, where and of what they were measured."""

from __future__ import annotations

from dataclasses import dataclass, field

from bench.harness.figures import Outcome


@dataclass(slots=True)
class Record:
    suite: str
    title: str
    measured: str  # when it began, in UTC
    commit: str
    command: str
    machine: dict[str, str]
    versions: dict[str, str]
    outcomes: list[Outcome] = field(default_factory=list)
    error: str = ""  # why the suite could not go on
