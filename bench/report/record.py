"""One run of one suite: its figures, and when, where and of what they were measured."""

from __future__ import annotations

from dataclasses import dataclass, field

from bench.harness.figures import Outcome


@dataclass(slots=True)
class Record:
    suite: str
    title: str
    processor: str  # its architecture: figures of two kinds of processor never stand in one table
    measured: str  # when it began, in UTC
    commit: str
    command: str
    machine: dict[str, str]
    versions: dict[str, str]
    outcomes: list[Outcome] = field(default_factory=list)
    error: str = ""  # why the suite could not go on

    @property
    def heading(self) -> str:
        return f"{self.title}, {self.processor}"

    @property
    def file_name(self) -> str:
        """The name of its chart and of its text, without an ending."""
        return f"{self.suite}-{self.processor}"
