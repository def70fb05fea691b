"""What readers of phrases answer: how many words they took, and what these mean.

A reader is given the words from some place on. It takes the longest phrase that it knows from the start of them, or
answers None: the words then stay in the title.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T", covariant=True)


@dataclass(frozen=True, slots=True)
class Match(Generic[T]):
    words: int
    value: T

    def after(self, lead: int) -> "Match[T]":
        """The same, with as many words before it."""
        return Match(self.words + lead, self.value)
