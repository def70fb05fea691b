"""The index on PostgreSQL: a GIN index of terms, as a tsvector that we make ourselves (docs/decisions/0021-search.md).

GIN gives all matches at once, in no order. So it is asked for one range of time after the other, newest first: each
document has terms that name the stretches of time in which it was created, of several lengths, and a range is a few
stretches. Before that, the newest documents are read one by one. They tell how long a range has to be, and where words
are common, they are all that is needed.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from stowboard.core.ids import least_id, time_of
from stowboard.db.database import Tx, Value, Write
from stowboard.db.scan import SqlArguments
from stowboard.search import texts
from stowboard.search.document import SearchDocument
from stowboard.search.store import Place, ScopedQuery, SearchHit
from stowboard.search.terms import BEGINNINGS, SearchTerms, term_of, terms_of

#: How many of the newest are read one by one.
LOOKED_AT = 200
#: After so many candidates in vain, all words that begin like the last one are looked up instead. That takes long if
#: they are common.
FEW = LOOKED_AT // 20
#: Stretches of time, in powers of two of a millisecond: 4 s, a minute, 17 minutes, 5 hours, 3 days, 7 weeks, 2 years.
STRETCHES = (12, 16, 20, 24, 28, 32, 36)
#: How many of them are asked for at once.
MOST_STRETCHES = 8
_PUT = (
    "INSERT INTO search_document (id, place, scope, title, rest, terms)"
    " VALUES ($1, $2, $3, $4, $5, array_to_tsvector(string_to_array($6, ' ')))"
    " ON CONFLICT (id) DO UPDATE SET scope = excluded.scope, title = excluded.title, rest = excluded.rest,"
    " terms = excluded.terms"
)


class PostgresSearch:
    def added(self, document: SearchDocument) -> list[Write]:
        return [(_PUT, _values(document))]

    async def put(self, tx: Tx, documents: Sequence[SearchDocument]) -> None:
        await tx.run_many(_PUT, [_values(document) for document in documents])

    async def remove(self, tx: Tx, ids: Sequence[str]) -> None:
        await tx.run_many("DELETE FROM search_document WHERE id = $1", [(subject,) for subject in ids])

    async def merge(self, tx: Tx, limit: int) -> bool:  # noqa: ARG002
        return False  # GIN does it itself

    async def newest(self, tx: Tx, wanted: ScopedQuery, below: Place | None, limit: int) -> list[SearchHit]:
        search = _Search(wanted, terms_of(wanted.asked), limit)
        looked_at = await search.look(tx, str(below or _AFTER_ALL))
        if len(looked_at.hits) >= limit or looked_at.last is None:
            return looked_at.hits[:limit]
        return await search.go_on(tx, looked_at)


#: Greater than every place, as those have digits and small letters.
_AFTER_ALL = "~"
#: How long a place is, and the time that it begins with.
_PLACE, _TIME = 26, 10


class _LookedAt(NamedTuple):
    hits: list[SearchHit]
    #: The last one that was read; None if there are no more. Then the time between the first and the last.
    last: str | None
    span_ms: int
    #: How many have the terms. The texts of some of them may still not match.
    candidates: int


class _Stretches(NamedTuple):
    """Stretches of one length, next to each other."""

    level: int
    first: int
    last: int

    @property
    def begin_ms(self) -> int:
        return self.first << STRETCHES[self.level]

    def query(self) -> str:
        return " | ".join(_quoted(_stretch_term(self.level, number)) for number in range(self.first, self.last + 1))


class _Search:
    def __init__(self, wanted: ScopedQuery, terms: SearchTerms, limit: int) -> None:
        self._wanted, self._terms, self._limit = wanted, terms, limit

    async def look(self, tx: Tx, below: str) -> _LookedAt:
        """Read the newest one by one."""
        arguments = SqlArguments(below)
        has_terms = " AND ".join(self._terms_asked(arguments, "d.terms", loosely=True))
        passes = " AND ".join(["d.has_terms", *self._texts(arguments)])
        ranges = " UNION ALL ".join(
            f"(SELECT * FROM search_document WHERE scope = {arguments.add(scope)} AND place < $1"
            f" ORDER BY place DESC LIMIT {LOOKED_AT})"
            for scope in self._wanted.scopes
        )
        *rows, (last, first, number, candidates) = await tx.all(
            f"WITH looked_at AS MATERIALIZED (SELECT d.place, d.id, d.title, d.rest, {has_terms} AS has_terms"
            f" FROM ({ranges}) AS d ORDER BY d.place DESC LIMIT {LOOKED_AT})"
            f" SELECT d.place, d.id, {self._score(arguments)}, 0 FROM looked_at AS d WHERE {passes}"
            " UNION ALL SELECT min(place), max(place), count(*), count(*) FILTER (WHERE has_terms) FROM looked_at",
            *arguments.values,
        )
        hits = sorted([SearchHit(*row[:3]) for row in rows], reverse=True)
        if number < LOOKED_AT:
            return _LookedAt(hits, None, 0, candidates)
        return _LookedAt(hits, last, time_of(first) - time_of(last), candidates)

    async def go_on(self, tx: Tx, looked_at: _LookedAt) -> list[SearchHit]:
        """Ask GIN for one range of time after the other. Its length follows from how many matched so far."""
        hits, below, span_ms, candidates = looked_at
        assert below is not None
        loosely = bool(hits) or candidates <= FEW
        # Where hardly any has all the terms, hardly any text is read in vain.
        rare_together = not candidates and bool(self._terms.words)
        while True:
            missing = self._limit - len(hits)
            # Half as much again. If nothing was found so far, reckon with one match.
            stretches = _stretches_before(below, span_ms * missing * 3 // 2 // max(1, len(hits)))
            found = await self._in_stretches(tx, below, stretches, missing, loosely)
            hits = [*hits, *found]
            if len(hits) >= self._limit or stretches is None:
                return hits
            next_below = await self._below(tx, stretches.begin_ms, sure=bool(found))
            if next_below is None:
                return hits
            span_ms += _time(below) - stretches.begin_ms
            below, loosely = next_below, loosely and (rare_together or len(found) * 4 >= missing)

    async def _below(self, tx: Tx, begin_ms: int, sure: bool) -> str | None:
        """Where the next range ends; None if nothing is left. It skips a gap, unless it is `sure` of more at once."""
        if sure and begin_ms > 0:
            return _place(least_id("tsk", begin_ms - 1))[:_TIME] + _AFTER_ALL
        newest = await self._newest_before(tx, _place(least_id("tsk", begin_ms)))
        return None if newest is None else newest + _AFTER_ALL

    async def _in_stretches(
        self, tx: Tx, below: str, stretches: _Stretches | None, limit: int, loosely: bool
    ) -> list[SearchHit]:
        arguments = SqlArguments(below, limit)
        terms = self._terms_asked(arguments, "terms", loosely)
        if stretches is not None:
            terms.append(_asked(arguments, "terms", stretches.query()))
        # OFFSET 0: GIN is to find them, not the index that has the order.
        rows = await tx.all(
            f"SELECT d.place, d.id, {self._score(arguments)} FROM ("
            f" SELECT place, id, title, rest FROM search_document WHERE {' AND '.join(terms)} OFFSET 0"
            f") AS d WHERE {' AND '.join(['d.place < $1', *self._texts(arguments)])} ORDER BY d.place DESC LIMIT $2",
            *arguments.values,
        )
        return [SearchHit(*row) for row in rows]

    async def _newest_before(self, tx: Tx, place: str) -> str | None:
        arguments = SqlArguments(place)
        ranges = " UNION ALL ".join(
            f"(SELECT place FROM search_document WHERE scope = {arguments.add(scope)} AND place < $1"
            " ORDER BY place DESC LIMIT 1)"
            for scope in self._wanted.scopes
        )
        row = await tx.one(f"SELECT max(place) FROM ({ranges}) AS newest", *arguments.values)
        return row[0] if row else None

    def _terms_asked(self, arguments: SqlArguments, column: str, loosely: bool) -> list[str]:
        """A condition for each term: only then does GIN walk through their lists side by side."""
        words = [*map(_quoted, self._terms.words), *(_begun(begun, loosely) for begun in self._terms.beginnings)]
        scopes = f"({' | '.join(map(_quoted, self._wanted.scopes))})"
        rest = " & ".join([scopes, *(f"!{_quoted(word)}" for word in self._terms.not_words)])
        return [_asked(arguments, column, query) for query in (*words, rest)]

    def _texts(self, arguments: SqlArguments) -> list[str]:
        return texts.conditions("postgres", arguments, self._terms.parts, self._terms.not_parts)

    def _score(self, arguments: SqlArguments) -> str:
        return texts.score("postgres", arguments, self._wanted.asked)


def _values(document: SearchDocument) -> tuple[Value, ...]:
    words = {*document.title.split(), *document.rest.split()}
    words.discard("|")
    terms = f"{' '.join(map(_terms_of, words))} {_stretches(time_of(document.id) >> STRETCHES[0])}"
    return document.id, _place(document.id), document.scope, document.title, document.rest, terms


@lru_cache(16_384)
def _terms_of(word: str) -> str:
    """The word and its beginnings; a scope or a tag has no beginnings."""
    if word[0] == "_":
        return word
    return " ".join([word, *(f"^{word[:length]}" for length in BEGINNINGS if length <= len(word))])


@lru_cache(64)
def _stretches(number: int) -> str:
    """The terms of all stretches, by the number of the shortest one."""
    return " ".join(_stretch_term(level, number >> bits - STRETCHES[0]) for level, bits in enumerate(STRETCHES))


def _place(subject: str) -> str:
    """An id without the name of its kind."""
    return subject[-_PLACE:]


def _time(place: str) -> int:
    """The time of a place, or of the beginning of one."""
    return time_of(place[:_TIME].ljust(_PLACE, "0"))


def _stretches_before(below: str, length_ms: int) -> _Stretches | None:
    """Those that have all of this time; None if the time is long enough to ask for everything at once."""
    end_ms = _time(below)
    for level, bits in enumerate(STRETCHES):
        if length_ms >> bits < MOST_STRETCHES:
            return _Stretches(level, max(0, end_ms - length_ms) >> bits, end_ms >> bits)
    return None


def _stretch_term(level: int, number: int) -> str:
    return f"_b{level}{number:x}"


def _asked(arguments: SqlArguments, column: str, query: str) -> str:
    return f"{column} @@ {arguments.add(query)}::tsquery"


def _begun(beginning: str, loosely: bool) -> str:
    if loosely or len(beginning) in BEGINNINGS:
        return _quoted(f"^{term_of(beginning)}")
    return f"{_quoted(beginning)}:*"


def _quoted(term: str) -> str:
    return f"'{term}'"
