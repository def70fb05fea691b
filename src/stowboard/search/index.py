"""The index as the rest of the service writes it: in the transaction of the change."""

from collections.abc import Sequence
from zlib import crc32

from stowboard.db.database import Tx, Write
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind, NoArgs
from stowboard.search.document import SearchDocument
from stowboard.search.long_texts import LONG
from stowboard.search.postgres_store import PostgresSearch
from stowboard.search.sqlite_store import SqliteSearch
from stowboard.search.store import ScopeMove, SearchStore

_STORES: dict[str, SearchStore] = {"sqlite": SqliteSearch(), "postgres": PostgresSearch()}
#: One new document in this many orders a merge of the waiting ones.
_MERGED_AFTER = 400
_MERGED_AT_ONCE = 500
#: This many documents, written together, are merged at once.
_MANY = 50


def store_of(tx: Tx) -> SearchStore:
    return _STORES[tx.dialect]


def added(tx: Tx, document: SearchDocument) -> list[Write]:
    """The writes that add a new document to the index; write them together, with others if need be."""
    if len(document.rest) > LONG:
        tx.takes_time()
    return store_of(tx).added(document)


async def merge_later(tx: Tx, subject: str) -> None:
    """Call this with the id of each new document. Now and then it orders a merge of the waiting ones."""
    if tx.dialect == "sqlite" and crc32(subject.encode()) % _MERGED_AFTER == 0:
        await enqueue(tx, MERGE, NoArgs(), dedup=MERGE.name)


async def follow(tx: Tx, changes: Sequence[tuple[SearchDocument | None, SearchDocument | None]]) -> None:
    """Make the index agree with the things as they are now. None stands for a thing that search must not find."""
    await put(tx, [after for before, after in changes if after is not None and after != before])
    await remove(tx, [before.id for before, after in changes if before is not None and after is None])


async def put(tx: Tx, documents: Sequence[SearchDocument]) -> None:
    """Put these documents into the index, in place of earlier ones of the same things."""
    if any(len(document.rest) > LONG for document in documents):
        tx.takes_time()
    if documents:
        await store_of(tx).put(tx, sorted(documents, key=lambda document: document.id))
    if len(documents) >= _MANY:
        await store_of(tx).merge(tx, 2 * len(documents))
        return
    for document in documents:
        await merge_later(tx, document.id)


async def rescope(tx: Tx, moves: Sequence[ScopeMove]) -> None:
    """Things whose texts stay go to other scopes."""
    if moves:
        await store_of(tx).rescope(tx, sorted(moves))


async def remove(tx: Tx, ids: Sequence[str]) -> None:
    if ids:
        await store_of(tx).remove(tx, sorted(ids))


async def merge(job: Job, _: NoArgs) -> None:
    while await job.db.transact(_merge_some):
        pass


async def _merge_some(tx: Tx) -> bool:
    return await store_of(tx).merge(tx, _MERGED_AT_ONCE)


MERGE = JobKind("search.merge", "sweep", merge, args=NoArgs)
