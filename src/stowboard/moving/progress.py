"""What the long verbs tell of how far they are."""

from typing import Literal, Protocol


class Progress(Protocol):
    def begin(self, what: str, total: int, unit: Literal["rows", "bytes"]) -> None:
        """The next step; the one before it is done."""

    def advance(self, amount: int) -> None:
        """So much more of this step is done."""
