"""The progress of a long verb, told while it runs."""

from typing import Literal, Protocol


class MovingProgress(Protocol):
    def begin(self, what: str, total: int, unit: Literal["rows", "bytes"]) -> None:
        """The next step; the one before it is done."""

    def advance(self, amount: int) -> None:
        """This amount more of the step is done."""
