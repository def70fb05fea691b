"""The index on SQLite: FTS5 over the texts of `search_document`, whose words are folded already.

A document's number is made of its id, so the order of numbers is that of creation. FTS5 knows it by the number with a
minus, the newest first, which is the way it reads its lists, and looks at no more than are wanted. Positions are not
indexed: which words are neighbours, the texts tell. What is taken out is overwritten (`secure-delete`).

Alone, a document costs FTS5 several times what it costs among many. So the newest wait until they are many: up to the
number in `search_merged` FTS5 has them all, by triggers; the few behind it are read one by one.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from stowboard.core.ids import number_of
from stowboard.db.database import Row, Tx, Write
from stowboard.db.scan import SqlArguments
from stowboard.search import texts
from stowboard.search.document import SearchDocument
from stowboard.search.store import Place, ScopedQuery, SearchHit
from stowboard.search.terms import SearchTerms, term_of, terms_of

#: Of two ids with one number the second gets the next that is free.
_FREE = (
    "CASE WHEN NOT EXISTS (SELECT 1 FROM search_document WHERE number = $1) THEN $1 ELSE ("
    "SELECT min(taken.number) + 1 FROM search_document AS taken WHERE taken.number >= $1 AND NOT EXISTS"
    " (SELECT 1 FROM search_document AS following WHERE following.number = taken.number + 1)) END"
)
_ADD = f"INSERT INTO search_document (number, id, title, rest) VALUES ({_FREE}, $2, $3, $4)"
_KNOWN = "SELECT id, number, title, rest FROM search_document WHERE id IN (SELECT value FROM json_each($1))"
_LAST = (1 << 63) - 1
#: Fewer first characters are no term of FTS5's.
_SHORTEST_BEGINNING = 3
_MATCHING = "SELECT -rowid AS number FROM search_index WHERE search_index MATCH $1 AND rowid > -$2 ORDER BY rowid LIMIT"
_ALL = "SELECT number FROM search_document WHERE $1 = '' AND number < $2 ORDER BY number DESC LIMIT"
#: How many candidates are looked at, and then, before FTS5 is asked for all that it knows.
LOOKED_AT = (200, 2000)
#: Octets of text that are looked through in about two milliseconds; for more, the search leaves the event loop.
QUICKLY_READ = 4_000_000
#: A word that fewer have is rare, and so many words are tried whether one is.
RARE, TRIED = 80, 3


class SqliteSearch:
    def added(self, document: SearchDocument) -> list[Write]:
        return [(_ADD, _values(document))]

    async def put(self, tx: Tx, documents: Sequence[SearchDocument]) -> None:
        ids = [document.id for document in documents]
        known = {row[0]: _KnownDocument(*row[1:]) for row in await tx.all(_KNOWN, msgspec.json.encode(ids).decode())}
        await _change(tx, [(known[each.id], each) for each in documents if each.id in known])
        await tx.run_many(_ADD, [_values(each) for each in documents if each.id not in known])

    async def remove(self, tx: Tx, ids: Sequence[str]) -> None:
        await tx.run_many("DELETE FROM search_document WHERE id = $1", [(subject,) for subject in ids])

    async def merge(self, tx: Tx, limit: int) -> bool:
        merged = await _merged(tx)
        rows = await tx.all(
            "SELECT number FROM search_document WHERE number > $1 ORDER BY number LIMIT $2", merged, limit
        )
        if rows:
            last = rows[-1][0]
            await tx.run(
                "INSERT INTO search_index (rowid, title, rest)"
                " SELECT -number, title, rest FROM search_document WHERE number > $1 AND number <= $2"
                " ORDER BY number DESC",
                merged, last,
            )  # fmt: skip
            await tx.run("UPDATE search_merged SET number = $1", last)
        return len(rows) == limit

    async def newest(self, tx: Tx, wanted: ScopedQuery, below: Place | None, limit: int) -> list[SearchHit]:
        before = _LAST if below is None else int(below)
        # Documents that are merged from now on were read among those that wait.
        merged = await _merged(tx)
        hits: list[SearchHit] = []
        if before > merged + 1:
            hits, before = await _waiting(tx, wanted, merged, before, limit), merged + 1
        if len(hits) == limit:
            return hits
        return [*hits, *await _search(tx, wanted, terms_of(wanted.asked), before, limit - len(hits))]


class _KnownDocument(NamedTuple):
    number: int
    title: str
    rest: str

    def has_texts_of(self, document: SearchDocument) -> bool:
        return (self.title, self.rest) == (document.title, document.rest)


async def _change(tx: Tx, changes: Sequence[tuple[_KnownDocument, SearchDocument]]) -> None:
    """Give documents other texts: FTS5 forgets the words that go and learns those that come.

    It looks for a document in the list of each word that goes, which is long for a common one. Its manual asks for the
    whole text of a row that is deleted. With `detail = none` and `columnsize = 0` it keeps nothing but the words of
    each row, so single words can go and come.
    """
    changes = [(known, document) for known, document in changes if not known.has_texts_of(document)]
    merged = await _merged(tx) if changes else 0
    # A document keeps its number: a list may be on its way through the numbers.
    texts = [(known.number, document.title, document.rest) for known, document in changes]
    await tx.run_many("UPDATE search_document SET title = $2, rest = $3 WHERE number = $1", texts)
    words = [(known.number, *_difference(known, document)) for known, document in changes if known.number <= merged]
    await tx.run_many(
        "INSERT INTO search_index (search_index, rowid, title, rest) VALUES ('delete', -$1, '', $2)",
        [(number, gone) for number, gone, _ in words],
    )
    await tx.run_many(
        "INSERT INTO search_index (rowid, title, rest) VALUES (-$1, '', $2)",
        [(number, come) for number, _, come in words],
    )


def _difference(known: _KnownDocument, document: SearchDocument) -> tuple[str, str]:
    """The words that go, and those that come.

    With a word FTS5 forgets its beginnings, so the words that stay and begin in the same way come again.
    """
    before, after = ({*each.title.split(), *each.rest.split()} for each in (known, document))
    gone = before - after
    beginnings = {word[:_SHORTEST_BEGINNING] for word in gone}
    come = {word for word in after if word not in before or word[:_SHORTEST_BEGINNING] in beginnings}
    return " ".join(gone), " ".join(come)


async def _search(tx: Tx, wanted: ScopedQuery, terms: SearchTerms, before: int, limit: int) -> list[SearchHit]:
    """By a rare word, if there is one. Else a few candidates, then more of them, then all that FTS5 knows."""
    if (rare := await _rare_word(tx, terms, before)) is not None:
        hits, _ = await _look(tx, wanted, _quoted(rare), before, limit, RARE)
        return hits
    hits = []
    known = [term_of(begun) for begun in terms.beginnings if len(begun) >= _SHORTEST_BEGINNING]
    expression = _expression(terms, known)
    for looked_at in LOOKED_AT:
        some, end = await _look(tx, wanted, expression, before, limit - len(hits), looked_at)
        hits += some
        if end is None or len(hits) == limit:
            return hits
        before = end
        if not some:  # words that begin so are few
            expression = _expression(terms, terms.beginnings)
    return [*hits, *await _find(tx, wanted, terms, before, limit - len(hits))]


async def _rare_word(tx: Tx, terms: SearchTerms, before: int) -> str | None:
    """To look at all that have it takes less than to keep pace in the long lists of the other words."""
    tried = terms.words[:TRIED]
    if len(terms.words) + len(terms.beginnings) == 1 or not tried:
        return None
    arguments = SqlArguments(before)
    counts = [
        "(SELECT count(*) FROM (SELECT 1 FROM search_index"
        f" WHERE search_index MATCH {arguments.add(_quoted(word))} AND rowid > -$1 LIMIT {RARE}))"
        for word in tried
    ]
    numbers = await tx.one(f"SELECT {', '.join(counts)}", *arguments.values)
    assert numbers is not None
    return next((word for word, number in zip(tried, numbers, strict=True) if number < RARE), None)


async def _waiting(tx: Tx, wanted: ScopedQuery, merged: int, before: int, limit: int) -> list[SearchHit]:
    summed = await tx.one(
        "SELECT sum(octet_length(rest)) FROM search_document WHERE number > $1 AND number < $2", merged, before
    )
    if summed is None or summed[0] is None:
        return []
    arguments = SqlArguments(merged, before, limit)
    told = [_in_scope(arguments, wanted), *texts.all_conditions("sqlite", arguments, wanted.asked)]
    _leave_loop_for(tx, summed[0], len(told))
    rows = await tx.all(
        f"SELECT d.number, d.id, {texts.score('sqlite', arguments, wanted.asked)} FROM search_document AS d"
        f" WHERE d.number > $1 AND d.number < $2 AND {' AND '.join(told)} ORDER BY d.number DESC LIMIT $3",
        *arguments.values,
    )
    return _hits(rows)


async def _look(
    tx: Tx, wanted: ScopedQuery, expression: str, before: int, limit: int, looked_at: int
) -> tuple[list[SearchHit], int | None]:
    """Hits among so many candidates, and from where to go on, None if nothing is left.

    They are found by words alone, or one after the other: the list of all that is in a scope is long, and to keep pace
    in it takes longer than to look at a few documents.
    """
    arguments = SqlArguments(expression, before, limit)
    told = [_in_scope(arguments, wanted), *texts.all_conditions("sqlite", arguments, wanted.asked)]
    candidates = _MATCHING if expression else _ALL
    summed = await tx.one(
        f"SELECT count(*), min(i.number), sum(octet_length(d.rest)) FROM ({candidates} {looked_at}) AS i"
        " CROSS JOIN search_document AS d ON d.number = i.number",
        *arguments.values[:2],
    )
    assert summed is not None
    count, last, size = summed
    _leave_loop_for(tx, size or 0, len(told))
    # They come in their order, and CROSS keeps it: to ask for it again would have them all read before the first.
    rows = await tx.all(
        f"SELECT d.number, d.id, {texts.score('sqlite', arguments, wanted.asked)}"
        f" FROM ({candidates} {looked_at}) AS i CROSS JOIN search_document AS d ON d.number = i.number"
        f" WHERE {' AND '.join(told)} LIMIT $3",
        *arguments.values,
    )
    return _hits(rows), last if count == looked_at else None


async def _find(tx: Tx, wanted: ScopedQuery, terms: SearchTerms, before: int, limit: int) -> list[SearchHit]:
    """By all that FTS5 knows. What is left to the texts is which words are neighbours."""
    scopes = f"({' OR '.join(map(_quoted, wanted.scopes))})"
    arguments = SqlArguments(_expression(terms, terms.beginnings, scopes), before, limit)
    told = ["i.rowid > -$2", *texts.conditions("sqlite", arguments, terms.parts, terms.not_parts)]
    # CROSS: FTS5 goes first, in its order, and stops when there are enough.
    rows = await tx.all(
        f"SELECT d.number, d.id, {texts.score('sqlite', arguments, wanted.asked)}"
        " FROM search_index AS i CROSS JOIN search_document AS d ON d.number = -i.rowid"
        f" WHERE search_index MATCH $1 AND {' AND '.join(told)} ORDER BY i.rowid LIMIT $3",
        *arguments.values,
    )
    return _hits(rows)


def _leave_loop_for(tx: Tx, size: int, times: int) -> None:
    """Texts of this many octets are about to be read, so many times each."""
    if size * times > QUICKLY_READ:
        tx.takes_time()


async def _merged(tx: Tx) -> int:
    row = await tx.one("SELECT number FROM search_merged")
    return int(row[0]) if row else 0


def _values(document: SearchDocument) -> tuple[int, str, str, str]:
    return number_of(document.id), document.id, document.title, document.rest


def _hits(rows: Sequence[Row]) -> list[SearchHit]:
    return [SearchHit(*row) for row in rows]


def _in_scope(arguments: SqlArguments, wanted: ScopedQuery) -> str:
    """A document's scope is the first word of `rest`."""
    scopes = [f"instr(d.rest, {arguments.add(f' {scope} ')}) = 1" for scope in wanted.scopes]
    return f"({' OR '.join(scopes)})"


def _expression(terms: SearchTerms, beginnings: Sequence[str], *more: str) -> str:
    """In the language of FTS5; nothing if it would say only what is not wanted."""
    wanted = " AND ".join([*more, *map(_quoted, terms.words), *(f"{_quoted(begun)} *" for begun in beginnings)])
    if not terms.not_words or not wanted:
        return wanted
    return f"({wanted}) NOT ({' OR '.join(map(_quoted, terms.not_words))})"


def _quoted(word: str) -> str:
    return f'"{word}"'
