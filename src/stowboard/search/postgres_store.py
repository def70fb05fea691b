"""The index on PostgreSQL: a GIN index of terms, as a tsvector that we make ourselves.

GIN gives all matches at once and in no order, so it is asked for a stretch of time after the other, newest first: each
document also has terms for the stretches that it was created in, of several lengths. How long a stretch has to be is
seen from the newest documents, which are read one by one: where words are common, these are all that is needed.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from stowboard.core.ids import least_id, time_of
from stowboard.db.database import Tx, Value, Write
from stowboard.db.scan import Arguments
from stowboard.search import texts
from stowboard.search.document import Document
from stowboard.search.store import Hit, Place, Wanted
from stowboard.search.terms import BEGINNINGS, Terms, term_of, terms_of

#: How many of the newest are read one by one.
LOOKED_AT = 200
#: Stretches of time, in powers of two of a millisecond: 4 s, a minute, 17 minutes, 5 hours, 3 days, 7 weeks, 2 years.
STRETCHES = (12, 16, 20, 24, 28, 32, 36)
_PUT = (
    "INSERT INTO search_document (id, place, scope, title, rest, terms)"
    " VALUES ($1, $2, $3, $4, $5, array_to_tsvector(string_to_array($6, ' ')))"
    " ON CONFLICT (id) DO UPDATE SET scope = excluded.scope, title = excluded.title, rest = excluded.rest,"
    " terms = excluded.terms"
)


class PostgresSearch:
    def added(self, document: Document) -> list[Write]:
        return [(_PUT, _values(document))]

    async def put(self, tx: Tx, documents: Sequence[Document]) -> None:
        await tx.run_many(_PUT, [_values(document) for document in documents])

    async def remove(self, tx: Tx, ids: Sequence[str]) -> None:
        await tx.run_many("DELETE FROM search_document WHERE id = $1", [(subject,) for subject in ids])

    async def merge(self, tx: Tx, limit: int) -> bool:  # noqa: ARG002
        return False  # GIN does it itself

    async def newest(self, tx: Tx, wanted: Wanted, below: Place | None, limit: int) -> list[Hit]:
        search = _Search(wanted, terms_of(wanted.asked), limit)
        looked_at = await search.look(tx, str(below or _AFTER_ALL))
        if len(looked_at.hits) >= limit or looked_at.last is None:
            return looked_at.hits[:limit]
        return await search.go_on(tx, looked_at.hits, looked_at.last, looked_at.span_ms)


#: Greater than every place, as those have digits and small letters.
_AFTER_ALL = "~"
#: How long a place is, and the time that it begins with.
_PLACE, _TIME = 26, 10


class _LookedAt(NamedTuple):
    hits: list[Hit]
    #: The last one that was read; None if there are no more. And the time between the first and that.
    last: str | None
    span_ms: int


class _Search:
    def __init__(self, wanted: Wanted, terms: Terms, limit: int) -> None:
        self._wanted, self._terms, self._limit = wanted, terms, limit

    async def look(self, tx: Tx, below: str) -> _LookedAt:
        """Read the newest one by one."""
        arguments = Arguments(below)
        passes = [*self._terms_asked(arguments, "d.terms", loosely=True), *self._texts(arguments)]
        ranges = " UNION ALL ".join(
            f"(SELECT * FROM search_document WHERE scope = {arguments.add(scope)} AND place < $1"
            f" ORDER BY place DESC LIMIT {LOOKED_AT})"
            for scope in self._wanted.scopes
        )
        *rows, (last, first, number) = await tx.all(
            f"WITH looked_at AS MATERIALIZED (SELECT d.place, d.id, {self._score(arguments)} AS score,"
            f" {' AND '.join(passes)} AS passes FROM ({ranges}) AS d ORDER BY d.place DESC LIMIT {LOOKED_AT})"
            " SELECT place, id, score FROM looked_at WHERE passes"
            " UNION ALL SELECT min(place), max(place), count(*) FROM looked_at",
            *arguments.values,
        )
        hits = sorted([Hit(*row) for row in rows], reverse=True)
        if number < LOOKED_AT:
            return _LookedAt(hits, None, 0)
        return _LookedAt(hits, last, time_of(first) - time_of(last))

    async def go_on(self, tx: Tx, hits: list[Hit], below: str, span_ms: int) -> list[Hit]:
        """Ask GIN for one stretch of time after the other, longer ones where there is little to find."""
        missing, loosely = self._limit - len(hits), bool(hits)
        # Two as long as this would give what is missing, if it goes on as it was.
        length = span_ms * missing // len(hits) // 2 if hits else span_ms * 32
        level = next((level for level, bits in enumerate(STRETCHES) if 1 << bits >= length), len(STRETCHES))
        while True:
            found = await self._stretch(tx, below, level, self._limit - len(hits), loosely)
            hits = [*hits, *found]
            if len(hits) >= self._limit or level == len(STRETCHES):
                return hits
            next_below = await self._below(tx, below, level, sure=bool(found))
            if next_below is None:
                return hits
            below = next_below
            if len(found) * 4 < missing:
                level, loosely = min(level + (1 if found else 2), len(STRETCHES)), False

    async def _below(self, tx: Tx, below: str, level: int, sure: bool) -> str | None:
        """Where the next stretch begins; None if nothing is left. Unless one is sure of more, gaps are passed over."""
        end = _place(least_id("tsk", _time(below) >> STRETCHES[level] << STRETCHES[level]))
        if sure and _time(end) > 0:
            return _place(least_id("tsk", _time(end) - 1))[:_TIME] + _AFTER_ALL
        newest = await self._newest_before(tx, end)
        return None if newest is None else newest + _AFTER_ALL

    async def _stretch(self, tx: Tx, below: str, level: int, limit: int, loosely: bool) -> list[Hit]:
        arguments = Arguments(below, limit)
        terms = self._terms_asked(arguments, "terms", loosely)
        if level < len(STRETCHES):
            terms.append(_asked(arguments, "terms", _quoted(_stretch_term(level, _time(below)))))
        # OFFSET 0: GIN is to find them, not the index that has the order.
        rows = await tx.all(
            f"SELECT d.place, d.id, {self._score(arguments)} FROM ("
            f" SELECT place, id, title, rest FROM search_document WHERE {' AND '.join(terms)} OFFSET 0"
            f") AS d WHERE {' AND '.join(['d.place < $1', *self._texts(arguments)])} ORDER BY d.place DESC LIMIT $2",
            *arguments.values,
        )
        return [Hit(*row) for row in rows]

    async def _newest_before(self, tx: Tx, place: str) -> str | None:
        arguments = Arguments(place)
        ranges = " UNION ALL ".join(
            f"(SELECT place FROM search_document WHERE scope = {arguments.add(scope)} AND place < $1"
            " ORDER BY place DESC LIMIT 1)"
            for scope in self._wanted.scopes
        )
        row = await tx.one(f"SELECT max(place) FROM ({ranges}) AS newest", *arguments.values)
        return row[0] if row else None

    def _terms_asked(self, arguments: Arguments, column: str, loosely: bool) -> list[str]:
        """A condition for each term: GIN keeps pace in their lists only if they are apart."""
        words = [*map(_quoted, self._terms.words), *(_begun(begun, loosely) for begun in self._terms.beginnings)]
        scopes = f"({' | '.join(map(_quoted, self._wanted.scopes))})"
        rest = " & ".join([scopes, *(f"!{_quoted(word)}" for word in self._terms.not_words)])
        return [_asked(arguments, column, query) for query in (*words, rest)]

    def _texts(self, arguments: Arguments) -> list[str]:
        return texts.conditions("postgres", arguments, self._terms.parts, self._terms.not_parts)

    def _score(self, arguments: Arguments) -> str:
        return texts.score("postgres", arguments, self._wanted.asked)


def _values(document: Document) -> tuple[Value, ...]:
    words = {*document.title.split(), *document.rest.split()}
    words.discard("|")
    terms = f"{' '.join(map(_terms_of, words))} {_stretches(time_of(document.id) >> STRETCHES[0])}"
    return document.id, _place(document.id), document.scope, document.title, document.rest, terms


@lru_cache(16_384)
def _terms_of(word: str) -> str:
    """The word and its beginnings. What stands for a scope or a tag has none."""
    if word[0] == "_":
        return word
    return " ".join([word, *(f"^{word[:length]}" for length in BEGINNINGS if length <= len(word))])


@lru_cache(64)
def _stretches(number: int) -> str:
    """The terms of all stretches, by the number of the shortest one."""
    at_ms = number << STRETCHES[0]
    return " ".join(_stretch_term(level, at_ms) for level in range(len(STRETCHES)))


def _place(subject: str) -> str:
    """An id without the name of its kind."""
    return subject[-_PLACE:]


def _time(place: str) -> int:
    """Also of the beginning of a place."""
    return time_of(place[:_TIME].ljust(_PLACE, "0"))


def _stretch_term(level: int, at_ms: int) -> str:
    return f"_b{level}{at_ms >> STRETCHES[level]:x}"


def _asked(arguments: Arguments, column: str, query: str) -> str:
    return f"{column} @@ {arguments.add(query)}::tsquery"


def _begun(beginning: str, loosely: bool) -> str:
    if loosely or len(beginning) in BEGINNINGS:
        return _quoted(f"^{term_of(beginning)}")
    return f"{_quoted(beginning)}:*"


def _quoted(term: str) -> str:
    return f"'{term}'"
