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


class SearchFound(NamedTuple):
    """Hits, newest first, and the place to go on from; None if nothing is left.

    There are fewer hits than were wanted if nothing is left, or if the search has looked at as much as it may.
    """

    hits: list[SearchHit]
    end: Place | None

    def and_then(self, more: "SearchFound") -> "SearchFound":
        """These hits and those that were found behind them."""
        return SearchFound([*self.hits, *more.hits], more.end)


class SearchStore(Protocol):
    def added(self, document: SearchDocument) -> list[Write]:
        """The writes that add a new document, in their order. Nothing else may be written to these tables with them."""

    async def put(self, tx: Tx, documents: Sequence[SearchDocument]) -> None:
        """Make the index say this of each, whatever it said. They come in the order of ids."""

    async def remove(self, tx: Tx, ids: Sequence[str]) -> None:
        """They need not be there."""

    async def merge(self, tx: Tx, limit: int) -> bool:
        """Put at most `limit` waiting documents in their places; True if more may wait. They are found either way."""

    async def newest(self, tx: Tx, wanted: ScopedQuery, below: Place | None, limit: int) -> SearchFound:
        """The newest matches before the place. The work is bounded, whatever is asked."""
