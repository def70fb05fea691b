"""The ledger of an import: what became of each task, comment, file and assignee."""

from enum import StrEnum

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
