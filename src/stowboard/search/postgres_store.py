"""The index on PostgreSQL: a GIN index of terms, as a tsvector that we make ourselves (docs/decisions/0021-search.md).

First the newest documents are read one by one. If every term of the query is common among them, more are read.
Otherwise GIN is asked. GIN gives all matches at once and in no order, so it is asked for one range of time after the
other, newest first. For this, each document has terms that name the stretches of time, of several lengths, in which it
was created; a range is a few stretches. If a range has too many candidates, an eighth of it is asked for instead.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from stowboard.core.ids import least_id, time_of
from stowboard.db.database import Tx, Value, Write
from stowboard.db.scan import SqlArguments
from stowboard.search import texts
from stowboard.search.asked import Needle
from stowboard.search.document import SearchDocument, part_of_text, tag_mark
from stowboard.search.store import Place, ScopedQuery, SearchFound, SearchHit
from stowboard.search.terms import BEGINNINGS, term_of, terms_of

#: The number of newest documents that are read one by one. A term is common if one in `COMMON` of them has it.
LOOKED_AT, COMMON = 200, 10
#: The most documents that a search looks at after that (some 10 milliseconds), and the most candidates of a range.
MOST_LOOKED_AT, MOST_IN_RANGE = 5_000, 1_000
#: Stretches of time, in powers of two of a millisecond: 4 s, a minute, 17 minutes, 5 hours, 3 days, 7 weeks, 2 years.
STRETCHES = (12, 16, 20, 24, 28, 32, 36)
#: The most stretches that are asked for at once.
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

    async def newest(self, tx: Tx, wanted: ScopedQuery, below: Place | None, limit: int) -> SearchFound:
        search = _Search(wanted, limit)
        looked_at = await search.look(tx, str(below or _AFTER_ALL), LOOKED_AT)
        if looked_at.has_rare:
            return await search.ask_gin(tx, looked_at.found, looked_at.span_ms)
        found = looked_at.found
        # First twice as many as seem to be needed, then the most that may be looked at.
        needed = max(LOOKED_AT, 2 * LOOKED_AT * (limit - len(found.hits)) // max(1, len(found.hits)))
        for number in (needed, MOST_LOOKED_AT) if needed < MOST_LOOKED_AT else (MOST_LOOKED_AT,):
            if found.end is not None and len(found.hits) < limit:
                found = found.and_then((await search.look(tx, str(found.end), number, len(found.hits))).found)
        return found


#: Greater than every place: a place has only digits and small letters.
_AFTER_ALL = "~"
#: The length of a place, and of the time that it begins with.
_PLACE, _TIME = 26, 10
#: A time that is too long for `MOST_STRETCHES` of any length.
_WHOLE_TIME = MOST_STRETCHES << STRETCHES[-1]


class _LookedAt(NamedTuple):
    found: SearchFound
    #: The time between the first and the last document that was read.
    span_ms: int
    #: True if more documents follow, and some term of the query is not common among the ones that were read.
    has_rare: bool


class _Stretches(NamedTuple):
    """Stretches of one length, next to each other."""

    level: int
    first: int
    last: int

    @property
    def begin_ms(self) -> int:
        return self.first << STRETCHES[self.level]

    @property
    def is_shortest(self) -> bool:
        return self.level == 0 and self.first == self.last

    def query(self) -> str:
        return " | ".join(_quoted(_stretch_term(self.level, number)) for number in range(self.first, self.last + 1))


class _Search:
    def __init__(self, wanted: ScopedQuery, limit: int) -> None:
        self._wanted, self._limit = wanted, limit
        self._terms = terms_of(wanted.asked)
        tags = [Needle((tag_mark(tag),), open_end=False) for tag in wanted.asked.tags]
        self._needles = [*wanted.asked.needles, *tags]
        #: Beginnings of words that are rare although the shorter beginning, which is a term, is common.
        self._misleading: frozenset[Needle] = frozenset()

    async def look(self, tx: Tx, below: str, number: int, known: int = 0) -> _LookedAt:
        """Read the newest `number` documents one by one; `known` is the number of hits found before."""
        arguments = SqlArguments(below, self._limit - known)
        terms = [self._terms_asked(arguments, "d.terms", needle) for needle in self._needles]
        has = [
            " AND ".join([*each, *self._texts_asked(arguments, n)])
            for each, n in zip(terms, self._needles, strict=True)
        ]
        names = [f"has_{place}" for place in range(len(has))]
        columns = "".join(
            f", {' AND '.join(each)} AS terms_{place}, {has[place]} AS has_{place}" for place, each in enumerate(terms)
        )
        ranges = " UNION ALL ".join(
            f"(SELECT * FROM search_document WHERE scope = {arguments.add(scope)} AND place < $1"
            f" ORDER BY place DESC LIMIT {number})"
            for scope in self._wanted.scopes
        )
        passes = " AND ".join([*names, *self._not_asked(arguments)]) or "true"
        counts = "".join(
            f", count(*) FILTER (WHERE terms_{place}), count(*) FILTER (WHERE has_{place})" for place in range(len(has))
        )
        *rows, (last, first, count, having) = await tx.all(
            f"WITH looked_at AS MATERIALIZED (SELECT d.place, d.id, d.title, d.rest, d.terms{columns}"
            f" FROM ({ranges}) AS d ORDER BY d.place DESC LIMIT {number})"
            f" SELECT * FROM (SELECT d.place, d.id, {self._score(arguments)}, '' FROM looked_at AS d WHERE {passes}"
            " ORDER BY d.place DESC LIMIT $2) AS hit"
            f" UNION ALL SELECT min(place), max(place), count(*), concat_ws(' ', ''{counts}) FROM looked_at",
            *arguments.values,
        )
        common = [int(each) * COMMON >= number for each in having.split()]
        hits = sorted([SearchHit(*row[:3]) for row in rows], reverse=True)
        if known + len(hits) == self._limit:
            return _LookedAt(SearchFound(hits, hits[-1].place), 0, False)
        if count < number:
            return _LookedAt(SearchFound(hits, None), 0, False)
        told = zip(self._needles, common[::2], common[1::2], strict=True)
        self._misleading = frozenset(needle for needle, has_terms, is_common in told if has_terms and not is_common)
        return _LookedAt(SearchFound(hits, last), time_of(first) - time_of(last), not all(common))

    async def ask_gin(self, tx: Tx, found: SearchFound, span_ms: int) -> SearchFound:
        """Ask GIN for one range of time after the other. The length of the next follows from the hits so far."""
        hits, below, read, longest_ms = found.hits, str(found.end), 0, _WHOLE_TIME
        while True:
            missing = self._limit - len(hits)
            # Half as long again as seems to be needed. With no match so far, count one.
            length_ms = min(span_ms * missing * 3 // 2 // max(1, len(hits)), longest_ms)
            stretches = _stretches_before(below, length_ms)
            some, candidates = await self._in_stretches(tx, below, stretches, missing)
            if candidates > MOST_IN_RANGE:
                if stretches is not None and stretches.is_shortest:
                    known = len(hits)
                    return SearchFound(hits, below).and_then((await self.look(tx, below, MOST_LOOKED_AT, known)).found)
                longest_ms = length_ms // 8
                continue
            hits, read = [*hits, *some], read + candidates
            if len(hits) == self._limit:
                return SearchFound(hits, hits[-1].place)
            next_below = None
            if stretches is not None:
                next_below = await self._below(tx, stretches.begin_ms, sure=bool(some))
                span_ms += _time(below) - stretches.begin_ms
            if next_below is None or read > MOST_LOOKED_AT:
                return SearchFound(hits, next_below)
            below = next_below

    async def _below(self, tx: Tx, begin_ms: int, sure: bool) -> str | None:
        """The end of the next range, behind a gap if there is one; None if nothing is left. `sure`: there is no gap."""
        if sure and begin_ms > 0:
            return _place(least_id("tsk", begin_ms - 1))[:_TIME] + _AFTER_ALL
        newest = await self._newest_before(tx, _place(least_id("tsk", begin_ms)))
        return None if newest is None else newest + _AFTER_ALL

    async def _in_stretches(
        self, tx: Tx, below: str, stretches: _Stretches | None, limit: int
    ) -> tuple[list[SearchHit], int]:
        """The hits of a range, and the number of its candidates, counted up to one more than a range may have."""
        arguments = SqlArguments(below, limit)
        terms = [said for needle in self._needles for said in self._terms_asked(arguments, "terms", needle)]
        terms.append(_asked(arguments, "terms", self._scopes()))
        if stretches is not None:
            terms.append(_asked(arguments, "terms", stretches.query()))
        told = [said for needle in self._needles for said in self._texts_asked(arguments, needle)]
        passes = " AND ".join(["d.place < $1", *told, *self._not_asked(arguments)])
        # GIN has to find the candidates. If PostgreSQL knew how few are wanted, it might read the table instead, or the
        # index that has the order. So the step that finds candidates has no LIMIT.
        terms_too = ", terms" if self._terms.not_words else ""
        candidates = f"(SELECT * FROM matching LIMIT {MOST_IN_RANGE + 1}) AS d"
        *rows, (_, _, count) = await tx.all(
            f"WITH matching AS MATERIALIZED (SELECT place, id, title, rest{terms_too} FROM search_document"
            f" WHERE {' AND '.join(terms)}) SELECT * FROM (SELECT d.place, d.id, {self._score(arguments)}"
            f" FROM {candidates} WHERE {passes} ORDER BY d.place DESC LIMIT $2) AS hit"
            f" UNION ALL SELECT '', '', count(*) FROM {candidates}",
            *arguments.values,
        )
        return sorted([SearchHit(*row) for row in rows], reverse=True), count

    async def _newest_before(self, tx: Tx, place: str) -> str | None:
        arguments = SqlArguments(place)
        ranges = " UNION ALL ".join(
            f"(SELECT place FROM search_document WHERE scope = {arguments.add(scope)} AND place < $1"
            " ORDER BY place DESC LIMIT 1)"
            for scope in self._wanted.scopes
        )
        row = await tx.one(f"SELECT max(place) FROM ({ranges}) AS newest", *arguments.values)
        return row[0] if row else None

    def _terms_asked(self, arguments: SqlArguments, column: str, needle: Needle) -> list[str]:
        """A condition for each word, since only then GIN walks through the lists of all words side by side."""
        *words, last = map(_quoted, needle.words)
        if self._is_loose(needle) or (needle.open_end and len(needle.words[-1]) in BEGINNINGS):
            last = _quoted(f"^{term_of(needle.words[-1])}")
        elif needle.open_end:
            last = f"{last}:*"
        return [_asked(arguments, column, word) for word in (*words, last)]

    def _texts_asked(self, arguments: SqlArguments, needle: Needle) -> list[str]:
        """Conditions on the texts, if the terms alone do not decide."""
        told_by_text = len(needle.words) > 1 or self._is_loose(needle)
        return texts.conditions("postgres", arguments, (part_of_text(needle),) if told_by_text else (), ())

    def _is_loose(self, needle: Needle) -> bool:
        """True if the terms look up a shorter beginning, so that the texts have to decide."""
        return needle.open_end and len(needle.words[-1]) not in BEGINNINGS and needle not in self._misleading

    def _scopes(self) -> str:
        return " | ".join(map(_quoted, self._wanted.scopes))

    def _not_asked(self, arguments: SqlArguments) -> list[str]:
        not_parts = texts.conditions("postgres", arguments, (), self._terms.not_parts)
        return [_asked(arguments, "d.terms", f"!{_quoted(word)}") for word in self._terms.not_words] + not_parts

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
    """The terms of all stretches, given the number of the shortest one."""
    return " ".join(_stretch_term(level, number >> bits - STRETCHES[0]) for level, bits in enumerate(STRETCHES))


def _place(subject: str) -> str:
    """An id without the name of its kind."""
    return subject[-_PLACE:]


def _time(place: str) -> int:
    """The time of a place; the first characters of a place will do."""
    return time_of(place[:_TIME].ljust(_PLACE, "0"))


def _stretches_before(below: str, length_ms: int) -> _Stretches | None:
    """The stretches that cover this time; None if it is so long that everything can be asked for at once."""
    end_ms = _time(below)
    for level, bits in enumerate(STRETCHES):
        if length_ms >> bits < MOST_STRETCHES:
            return _Stretches(level, max(0, end_ms - length_ms) >> bits, end_ms >> bits)
    return None


def _stretch_term(level: int, number: int) -> str:
    return f"_b{level}{number:x}"


def _asked(arguments: SqlArguments, column: str, query: str) -> str:
    return f"{column} @@ {arguments.add(query)}::tsquery"


def _quoted(term: str) -> str:
    return f"'{term}'"
