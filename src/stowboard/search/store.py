"""The port to the index, which each database keeps in its own way. A contract suite runs on both.

An index of words gives candidates, newest first. If words alone do not decide, the texts of the candidates do.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

from stowboard.db.database import Tx, Write
from stowboard.search.asked import ParsedQuery
from stowboard.search.document import SearchDocument

#: The place of a document in the order of creation; a later one is greater.
Place: TypeAlias = int | str


class ScopedQuery(NamedTuple):
    """A query, and the scopes in which to look."""

    asked: ParsedQuery
    scopes: tuple[str, ...]


class SearchHit(NamedTuple):
    place: Place
    id: str
    #: See `texts.score`.
    score: int


class ScopeMove(NamedTuple):
    """A thing that goes from one scope to another."""

    id: str
    before: str
    after: str


class SearchFound(NamedTuple):
    """Hits, newest first, and the place to go on from; None if nothing is left.

    There are fewer hits than were wanted if nothing is left, or if the search has reached its bound.
    """

    hits: list[SearchHit]
    end: Place | None

    def and_then(self, more: "SearchFound") -> "SearchFound":
        """These hits and those that were found behind them."""
        return SearchFound([*self.hits, *more.hits], more.end)


class SearchStore(Protocol):
    def added(self, document: SearchDocument) -> list[Write]:
        """The writes that add a new document, in order. No other write of the same trip may be to their tables."""

    async def put(self, tx: Tx, documents: Sequence[SearchDocument]) -> None:
        """Put these documents, which are in the order of ids, in place of earlier ones of the same things."""

    async def rescope(self, tx: Tx, moves: Sequence[ScopeMove]) -> None:
        """Give the documents of these things another scope, and read no text; one that is not there is no error."""

    async def remove(self, tx: Tx, ids: Sequence[str]) -> None:
        """Remove the documents of these things; one that is not there is no error."""

    async def merge(self, tx: Tx, limit: int) -> bool:
        """Merge at most `limit` waiting documents; True if more may wait. A search finds waiting ones, too."""

    async def newest(self, tx: Tx, wanted: ScopedQuery, below: Place | None, limit: int) -> SearchFound:
        """The newest matches before the place. The work is bounded, whatever is asked."""
