"""The answer of readers of phrases: how many words they took, and their meaning.

A reader is given the words from some place on. It takes the longest phrase that it knows from the start of them, or
answers None: the words then stay in the title.
"""

from typing import Generic, TypeVar

import msgspec

T = TypeVar("T", covariant=True)


class LineMatch(msgspec.Struct, Generic[T], frozen=True):
    words: int
    value: T

    def after(self, lead: int) -> "LineMatch[T]":
        """The same match, with this many more words before it."""
        return LineMatch(self.words + lead, self.value)
