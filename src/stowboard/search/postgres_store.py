"""The index on PostgreSQL: a GIN index of terms, as a tsvector that we make ourselves (docs/decisions/0021-search.md).

First the newest documents are read one by one. If some term of the query is not common among them, GIN is asked. It
gives all matches at once and in no order, so they are sorted, if there are not too many. Otherwise more documents are
read one by one.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from stowboard.db.database import Tx, Value, Write
from stowboard.db.scan import SqlArguments
from stowboard.search import texts
from stowboard.search.asked import Needle
from stowboard.search.document import SearchDocument, part_of_text, tag_mark
from stowboard.search.store import Place, ScopedQuery, ScopeMove, SearchFound, SearchHit
from stowboard.search.terms import BEGINNINGS, term_of, terms_of

#: The number of newest documents that are read one by one. A term is common if one in `COMMON` of them has it.
LOOKED_AT, COMMON = 200, 10
#: The most documents that a search looks at after that, and the most candidates of GIN (some 10 milliseconds).
MOST_LOOKED_AT = 5_000
_PUT = (
    "INSERT INTO search_document (id, place, scope, title, rest, terms)"
    " VALUES ($1, $2, $3, $4, $5, array_to_tsvector(string_to_array($6, ' ')))"
    " ON CONFLICT (id) DO UPDATE SET scope = excluded.scope, title = excluded.title, rest = excluded.rest,"
    " terms = excluded.terms"
)
_RESCOPE = (
    "UPDATE search_document SET scope = $3, rest = ' ' || $3 || substr(rest, $4),"
    " terms = ts_delete(terms, $2) || array_to_tsvector(ARRAY[$3]) WHERE id = $1 AND scope = $2"
)


class PostgresSearch:
    def added(self, document: SearchDocument) -> list[Write]:
        return [(_PUT, _values(document))]

    async def put(self, tx: Tx, documents: Sequence[SearchDocument]) -> None:
        await tx.run_many(_PUT, [_values(document) for document in documents])

    async def rescope(self, tx: Tx, moves: Sequence[ScopeMove]) -> None:
        await tx.run_many(_RESCOPE, [(*move, len(move.before) + 2) for move in moves])

    async def remove(self, tx: Tx, ids: Sequence[str]) -> None:
        await tx.run_many("DELETE FROM search_document WHERE id = $1", [(subject,) for subject in ids])

    async def merge(self, tx: Tx, limit: int) -> bool:  # noqa: ARG002
        return False  # GIN does it itself

    async def newest(self, tx: Tx, wanted: ScopedQuery, below: Place | None, limit: int) -> SearchFound:
        search = _Search(wanted, limit)
        looked_at = await search.look(tx, str(below or _AFTER_ALL), LOOKED_AT)
        found = looked_at.found
        if looked_at.has_rare and (rest := await search.ask_gin(tx, str(found.end), limit - len(found.hits))):
            return found.and_then(rest)
        # First twice as many as seem to be needed, then the most that may be looked at.
        needed = max(LOOKED_AT, 2 * LOOKED_AT * (limit - len(found.hits)) // max(1, len(found.hits)))
        for number in (needed, MOST_LOOKED_AT) if needed < MOST_LOOKED_AT else (MOST_LOOKED_AT,):
            if found.end is not None and len(found.hits) < limit:
                found = found.and_then((await search.look(tx, str(found.end), number, len(found.hits))).found)
        return found


#: Greater than every place: a place has only digits and small letters.
_AFTER_ALL = "~"
_LENGTH_OF_PLACE = 26


class _LookedAt(NamedTuple):
    found: SearchFound
    #: True if more documents follow, and some term of the query is not common among the ones that were read.
    has_rare: bool


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
        *rows, (last, counted, _) = await tx.all(
            f"WITH looked_at AS MATERIALIZED (SELECT d.place, d.id, d.title, d.rest, d.terms{columns}"
            f" FROM ({ranges}) AS d ORDER BY d.place DESC LIMIT {number})"
            f" SELECT * FROM (SELECT d.place, d.id, {self._score(arguments)} FROM looked_at AS d WHERE {passes}"
            " ORDER BY d.place DESC LIMIT $2) AS hit"
            f" UNION ALL SELECT min(place), concat_ws(' ', count(*){counts}), 0 FROM looked_at",
            *arguments.values,
        )
        count, *having = map(int, counted.split())
        common = [each * COMMON >= number for each in having]
        hits = sorted([SearchHit(*row) for row in rows], reverse=True)
        if known + len(hits) == self._limit:
            return _LookedAt(SearchFound(hits, hits[-1].place), has_rare=False)
        if count < number:
            return _LookedAt(SearchFound(hits, None), has_rare=False)
        told = zip(self._needles, common[::2], common[1::2], strict=True)
        self._misleading = frozenset(needle for needle, has_terms, is_common in told if has_terms and not is_common)
        return _LookedAt(SearchFound(hits, last), has_rare=not all(common))

    async def ask_gin(self, tx: Tx, below: str, limit: int) -> SearchFound | None:
        """The newest of all that GIN finds; None if it finds too many candidates."""
        arguments = SqlArguments(below, limit)
        terms = [said for needle in self._needles for said in self._terms_asked(arguments, "terms", needle)]
        terms.append(_asked(arguments, "terms", " | ".join(map(_quoted, self._wanted.scopes))))
        told = [said for needle in self._needles for said in self._texts_asked(arguments, needle)]
        passes = " AND ".join(["d.place < $1", *told, *self._not_asked(arguments)])
        # GIN has to find the candidates. If PostgreSQL knew how few are wanted, it might read the table instead, or the
        # index that has the order. So the step that finds candidates has no LIMIT.
        terms_too = ", terms" if self._terms.not_words else ""
        candidates = f"(SELECT * FROM matching LIMIT {MOST_LOOKED_AT + 1}) AS d"
        *rows, (_, _, count) = await tx.all(
            f"WITH matching AS MATERIALIZED (SELECT place, id, title, rest{terms_too} FROM search_document"
            f" WHERE {' AND '.join(terms)}) SELECT * FROM (SELECT d.place, d.id, {self._score(arguments)}"
            f" FROM {candidates} WHERE {passes} ORDER BY d.place DESC LIMIT $2) AS hit"
            f" UNION ALL SELECT '', '', count(*) FROM {candidates}",
            *arguments.values,
        )
        if count > MOST_LOOKED_AT:
            return None
        hits = sorted([SearchHit(*row) for row in rows], reverse=True)
        return SearchFound(hits, hits[-1].place if len(hits) == limit else None)

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

    def _not_asked(self, arguments: SqlArguments) -> list[str]:
        not_parts = texts.conditions("postgres", arguments, (), self._terms.not_parts)
        return [_asked(arguments, "d.terms", f"!{_quoted(word)}") for word in self._terms.not_words] + not_parts

    def _score(self, arguments: SqlArguments) -> str:
        return texts.score("postgres", arguments, self._wanted.asked)


def _values(document: SearchDocument) -> tuple[Value, ...]:
    words = {*document.title.split(), *document.rest.split()}
    words.discard("|")
    terms = " ".join(map(_terms_of, words))
    return document.id, document.id[-_LENGTH_OF_PLACE:], document.scope, document.title, document.rest, terms


@lru_cache(16_384)
def _terms_of(word: str) -> str:
    """The word and its beginnings; a scope or a tag has no beginnings."""
    if word[0] == "_":
        return word
    return " ".join([word, *(f"^{word[:length]}" for length in BEGINNINGS if length <= len(word))])


def _asked(arguments: SqlArguments, column: str, query: str) -> str:
    return f"{column} @@ {arguments.add(query)}::tsquery"


def _quoted(term: str) -> str:
    return f"'{term}'"
