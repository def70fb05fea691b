"""The ledger of an import: what became of each task, comment, file and assignee."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

import msgspec

from stowboard_client import ApiError


class Outcome(StrEnum):
    MADE = "made"
    PRESENT = "present"
    REFUSED = "refused"


class LedgerLine(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    #: The id in the program that it comes from.
    source: str
    kind: str
    outcome: Outcome
    reason: str = ""


class Ledger:
    def __init__(self) -> None:
        self.lines: list[LedgerLine] = []

    def add(self, source: str, kind: str, outcome: Outcome, reason: str = "") -> None:
        self.lines.append(LedgerLine(source, kind, outcome, reason))

    def refused(self, source: str, kind: str, refusal: ApiError) -> None:
        self.add(source, kind, Outcome.REFUSED, str(refusal))


@contextmanager
def kept_ledger(file: Path | None) -> Iterator[Ledger]:
    """A ledger that is written to the file at the end, also if the import is refused or stopped."""
    ledger = Ledger()
    try:
        yield ledger
    finally:
        if file is not None:
            file.write_bytes(msgspec.json.Encoder().encode_lines(ledger.lines))
