"""The index on SQLite: FTS5 over the texts of `search_document`, whose words are folded already.

A document's number is made of its id, so the order of numbers is that of creation. FTS5 reads its lists in ascending
order, so it knows a document by its negative number: the newest comes first. A search follows the shortest list, of a
word or of a scope; the texts of these candidates tell the rest: which other words they have, and which are neighbours.
FTS5 overwrites what is removed (`secure-delete`).

A document that is added alone costs FTS5 several times as much as one among many. So the newest documents wait until
there are many. FTS5 has all documents up to the number in `search_merged` (triggers add and remove them); the few
behind it are read one by one.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from stowboard.core.ids import number_of
from stowboard.db.database import Tx, Write
from stowboard.db.scan import SqlArguments
from stowboard.search import texts
from stowboard.search.document import SearchDocument
from stowboard.search.store import Place, ScopedQuery, ScopeMove, SearchFound, SearchHit
from stowboard.search.terms import term_of, terms_of

#: If two ids give the same number, the second gets the next free one.
_FREE = (
    "CASE WHEN NOT EXISTS (SELECT 1 FROM search_document WHERE number = $1) THEN $1 ELSE ("
    "SELECT min(taken.number) + 1 FROM search_document AS taken WHERE taken.number >= $1 AND NOT EXISTS"
    " (SELECT 1 FROM search_document AS following WHERE following.number = taken.number + 1)) END"
)
_ADD = f"INSERT INTO search_document (number, id, title, rest) VALUES ({_FREE}, $2, $3, $4)"
_KNOWN = "SELECT id, number, title, rest FROM search_document WHERE id IN (SELECT value FROM json_each($1))"
_FORGET_WORDS = "INSERT INTO search_index (search_index, rowid, title, rest) VALUES ('delete', -$1, '', $2)"
_ADD_WORDS = "INSERT INTO search_index (rowid, title, rest) VALUES (-$1, '', $2)"
_LAST = (1 << 63) - 1
#: FTS5 has no terms for shorter beginnings.
_SHORTEST_BEGINNING = 3
_MATCHING = "SELECT -rowid AS number FROM search_index WHERE search_index MATCH $1 AND rowid > -$2 ORDER BY rowid LIMIT"
#: The number of candidates that are looked at first, and after that.
LOOKED_AT = (200, 2000)
#: The most candidates that a search looks at after those, which takes some 10 milliseconds. If the rest of the shortest
#: list is longer than this, but shorter than `MOST_STEPS`, FTS5 first finds the entries that have all of the words.
MOST_LOOKED_AT, MOST_STEPS = 5_000, 60_000
#: Octets of text that are searched in about two milliseconds. To search more, we leave the event loop.
QUICKLY_READ = 4_000_000
#: To find the shortest list, those of the first `TRIED` words are compared: in the shortest one, the next `COMPARED`
#: entries reach back furthest.
TRIED, COMPARED = 3, 80


class SqliteSearch:
    def added(self, document: SearchDocument) -> list[Write]:
        return [(_ADD, _values(document))]

    async def put(self, tx: Tx, documents: Sequence[SearchDocument]) -> None:
        ids = [document.id for document in documents]
        known = {row[0]: _KnownDocument(*row[1:]) for row in await tx.all(_KNOWN, msgspec.json.encode(ids).decode())}
        await _change(tx, [(known[each.id], each) for each in documents if each.id in known])
        await tx.run_many(_ADD, [_values(each) for each in documents if each.id not in known])

    async def rescope(self, tx: Tx, moves: Sequence[ScopeMove]) -> None:
        # FTS5 forgets the beginnings of a word with the word, and only the other scope has the same ones.
        merged, by_id = await _merged(tx), {move.id: move for move in moves}
        found = await tx.all(
            "SELECT number, id FROM search_document WHERE id IN (SELECT value FROM json_each($1))",
            msgspec.json.encode([*by_id]).decode(),
        )
        numbered = [(number, by_id[subject]) for number, subject in found]
        await tx.run_many(
            "UPDATE search_document SET rest = ' ' || $2 || substr(rest, $3) WHERE number = $1",
            [(number, move.after, len(move.before) + 2) for number, move in numbered],
        )
        known = [(number, move) for number, move in numbered if number <= merged]
        await tx.run_many(_FORGET_WORDS, [(number, move.before) for number, move in known])
        await tx.run_many(_ADD_WORDS, [(number, move.after) for number, move in known])

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

    async def newest(self, tx: Tx, wanted: ScopedQuery, below: Place | None, limit: int) -> SearchFound:
        before = _LAST if below is None else int(below)
        # Read before anything else: a document that is merged after this is read among the waiting ones.
        merged = await _merged(tx)
        hits: list[SearchHit] = []
        if before > merged + 1:
            hits, before = await _waiting(tx, wanted, merged, before, limit), merged + 1
        if len(hits) == limit:
            return SearchFound(hits, hits[-1].place)
        return SearchFound(hits, before).and_then(await _search(tx, wanted, before, limit - len(hits)))


class _KnownDocument(NamedTuple):
    number: int
    title: str
    rest: str


async def _change(tx: Tx, changes: Sequence[tuple[_KnownDocument, SearchDocument]]) -> None:
    """Give documents other texts. FTS5 is told which words go and which words come.

    FTS5 looks for the document in the list of each word that goes, and the list of a common word is long. Its manual
    asks for the whole text of a row that is deleted. But with `detail = none` and `columnsize = 0` it keeps nothing but
    the words of each row, so single words can go and come.
    """
    changes = [(known, new) for known, new in changes if (known.title, known.rest) != (new.title, new.rest)]
    merged = await _merged(tx) if changes else 0
    # A document keeps its number: a client may be between two pages, which are in the order of numbers.
    texts = [(known.number, document.title, document.rest) for known, document in changes]
    await tx.run_many("UPDATE search_document SET title = $2, rest = $3 WHERE number = $1", texts)
    words = [(known.number, *_difference(known, document)) for known, document in changes if known.number <= merged]
    await tx.run_many(_FORGET_WORDS, [(number, gone) for number, gone, _ in words])
    await tx.run_many(_ADD_WORDS, [(number, come) for number, _, come in words])


def _difference(known: _KnownDocument, document: SearchDocument) -> tuple[str, str]:
    """The words that go, and those that come.

    FTS5 forgets the beginnings of a word with the word. So words that stay and have the same beginning come once more.
    """
    before, after = ({*each.title.split(), *each.rest.split()} for each in (known, document))
    gone = before - after
    beginnings = {word[:_SHORTEST_BEGINNING] for word in gone}
    come = {word for word in after if word not in before or word[:_SHORTEST_BEGINNING] in beginnings}
    return " ".join(gone), " ".join(come)


async def _search(tx: Tx, wanted: ScopedQuery, before: int, limit: int) -> SearchFound:
    """Look at a few candidates, then at more, then at as many as a search may."""
    terms = terms_of(wanted.asked)
    begun = {f"{_quoted(term_of(word))} *": word for word in terms.beginnings if len(word) >= _SHORTEST_BEGINNING}
    lists, scopes = [*map(_quoted, terms.words), *begun], " OR ".join(map(_quoted, wanted.scopes))
    few, more = LOOKED_AT
    # A single word may well be common, so it is first looked for without comparing lists.
    shortest = lists[0] if len(lists) == 1 else await _shortest(tx, lists, scopes, before)
    await _leave_loop_for(tx, wanted, shortest, before, few)
    found = await _look(tx, wanted, shortest, before, limit, few)
    if found.end is None or len(found.hits) == limit:
        return found
    if len(lists) == 1:
        shortest = await _shortest(tx, lists, scopes, int(found.end))
    await _leave_loop_for(tx, wanted, shortest, int(found.end), more)
    found = found.and_then(await _look(tx, wanted, shortest, int(found.end), limit - len(found.hits), more))
    if found.end is None or len(found.hits) == limit:
        return found
    tx.takes_time()
    expression = shortest
    if MOST_LOOKED_AT < await _length(tx, shortest, int(found.end)) < MOST_STEPS:
        # For a beginning FTS5 makes one list of all words with it, whose entries are in the shortest list, too.
        whole = [f"{_quoted(begun[each])} *" if each in begun and each == shortest else each for each in lists]
        expression = " AND ".join([f"({scopes})", *whole])
        if terms.not_words:
            expression = f"({expression}) NOT ({' OR '.join(map(_quoted, terms.not_words))})"
    return found.and_then(await _look(tx, wanted, expression, int(found.end), limit - len(found.hits), MOST_LOOKED_AT))


async def _shortest(tx: Tx, lists: Sequence[str], scopes: str, before: int) -> str:
    """The list with the fewest candidates, as an expression of FTS5."""
    compared = [*lists[:TRIED], scopes]
    arguments = SqlArguments(before)
    ends = [
        f"(SELECT rowid FROM search_index WHERE search_index MATCH {arguments.add(each)} AND rowid > -$1"
        f" ORDER BY rowid LIMIT 1 OFFSET {COMPARED - 1})"
        for each in compared
    ]
    row = await tx.one(f"SELECT {', '.join(ends)}", *arguments.values)
    assert row is not None
    return max(zip(compared, row, strict=True), key=lambda each: (each[1] is None, each[1] or 0))[0]


async def _length(tx: Tx, expression: str, before: int) -> int:
    """The number of candidates, counted up to `MOST_STEPS`."""
    row = await tx.one(
        "SELECT count(*) FROM (SELECT 1 FROM search_index WHERE search_index MATCH $1 AND rowid > -$2"
        f" LIMIT {MOST_STEPS})",
        expression, before,
    )  # fmt: skip
    assert row is not None
    return int(row[0])


async def _waiting(tx: Tx, wanted: ScopedQuery, merged: int, before: int, limit: int) -> list[SearchHit]:
    summed = await tx.one(
        "SELECT sum(octet_length(rest)) FROM search_document WHERE number > $1 AND number < $2", merged, before
    )
    if summed is None or summed[0] is None:
        return []
    arguments = SqlArguments(merged, before, limit)
    told = [_in_scope(arguments, wanted), *texts.all_conditions("sqlite", arguments, wanted.asked)]
    _leave_loop(tx, summed[0], len(told))
    rows = await tx.all(
        f"SELECT d.number, d.id, {texts.score('sqlite', arguments, wanted.asked)} FROM search_document AS d"
        f" WHERE d.number > $1 AND d.number < $2 AND {' AND '.join(told)} ORDER BY d.number DESC LIMIT $3",
        *arguments.values,
    )
    return [SearchHit(*row) for row in rows]


async def _look(tx: Tx, wanted: ScopedQuery, expression: str, before: int, limit: int, looked_at: int) -> SearchFound:
    """The hits among the first `looked_at` candidates of the expression. The texts of a candidate decide the rest."""
    arguments = SqlArguments(expression, before, limit)
    told = [_in_scope(arguments, wanted), *texts.all_conditions("sqlite", arguments, wanted.asked)]
    # Candidates come in order, and CROSS keeps it. With an ORDER BY, SQLite would read all before the first hit.
    *rows, (last, _, count) = await tx.all(
        f"WITH candidate AS MATERIALIZED ({_MATCHING} {looked_at}) SELECT * FROM ("
        f"SELECT d.number, d.id, {texts.score('sqlite', arguments, wanted.asked)}"
        " FROM candidate AS c CROSS JOIN search_document AS d ON d.number = c.number"
        f" WHERE {' AND '.join(told)} LIMIT $3) UNION ALL SELECT min(number), '', count(*) FROM candidate",
        *arguments.values,
    )
    hits = [SearchHit(*row) for row in rows]
    if len(hits) == limit:
        return SearchFound(hits, hits[-1].place)
    return SearchFound(hits, last if count == looked_at else None)


async def _leave_loop_for(tx: Tx, wanted: ScopedQuery, expression: str, before: int, looked_at: int) -> None:
    """Call this before `looked_at` candidates are looked at, since their texts may be long."""
    summed = await tx.one(
        f"SELECT sum(octet_length(d.rest)) FROM ({_MATCHING} {looked_at}) AS i"
        " CROSS JOIN search_document AS d ON d.number = i.number",
        expression, before,
    )  # fmt: skip
    asked = wanted.asked
    parts = len(asked.needles) + len(asked.not_needles) + len(asked.tags) + len(asked.not_tags)
    _leave_loop(tx, summed[0] or 0 if summed else 0, len(wanted.scopes) + parts)


def _leave_loop(tx: Tx, size: int, times: int) -> None:
    """Leave the event loop if reading `size` octets of text, each `times` times, takes long."""
    if size * times > QUICKLY_READ:
        tx.takes_time()


async def _merged(tx: Tx) -> int:
    row = await tx.one("SELECT number FROM search_merged")
    return int(row[0]) if row else 0


def _values(document: SearchDocument) -> tuple[int, str, str, str]:
    return number_of(document.id), document.id, document.title, document.rest


def _in_scope(arguments: SqlArguments, wanted: ScopedQuery) -> str:
    """A document's scope is the first word of `rest`."""
    scopes = [f"instr(d.rest, {arguments.add(f' {scope} ')}) = 1" for scope in wanted.scopes]
    return f"({' OR '.join(scopes)})"


def _quoted(word: str) -> str:
    return f'"{word}"'
