"""Index what existed before the index, a batch in each transaction. Until that is done, search answers 409.

A killed job is continued where it was. What is written meanwhile is indexed by its own transaction.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from stowboard.core.errors import Problem
from stowboard.db.database import Tx
from stowboard.jobs.registry import Job, JobKind, NoArgs
from stowboard.jobs.schedule import PeriodicJob
from stowboard.search.asked import SearchType
from stowboard.search.document import SearchDocument
from stowboard.search.index import merge, store_of

BATCH = 200
EVERY_MS = 60_000


class SearchNotReady(Problem):
    status, code = 409, "search_not_ready"
    message = "The search index is being built after an upgrade or an import. Lists without q work; retry later."
    advice = "Wait for the seconds in Retry-After, then send it again. Lists without q need no search index."

    def __init__(self) -> None:
        super().__init__(headers=(("retry-after", "30"),))


class FillBatch(NamedTuple):
    """The documents of the next things, in the order of ids, and the last id, None at the end. Locks the things."""

    documents: list[SearchDocument]
    last: str | None


def batch_of(ids: Sequence[str], documents: Iterable[SearchDocument | None], limit: int) -> FillBatch:
    """The batch of things that were read with this limit. A document is None if search must not find its thing."""
    found = [document for document in documents if document is not None]
    return FillBatch(found, ids[-1] if len(ids) == limit else None)


#: Reads the batch behind an id. The number is the most things that it may have.
ReadBatch = Callable[[Tx, str, int], Awaitable[FillBatch]]


async def require_filled(tx: Tx, types: Sequence[SearchType]) -> None:
    """Raises SearchNotReady."""
    rows = await tx.all("SELECT type FROM search_filling")
    if rows and {type_ for (type_,) in rows} & set(types):
        raise SearchNotReady


async def begin_again(tx: Tx) -> None:
    """Order a job that indexes everything again, whatever the index has already."""
    await tx.run_many(
        "INSERT INTO search_filling (type, position) VALUES ($1, '') ON CONFLICT (type) DO UPDATE SET position = ''",
        [(type_,) for type_ in SearchType],
    )


def filling_job(sources: Mapping[SearchType, ReadBatch]) -> PeriodicJob[NoArgs]:
    """The job that fills the index. Nearly always nothing is left to fill; then it only merges new documents."""

    async def run(job: Job, _: NoArgs) -> None:
        for type_, read_batch in sources.items():
            while await job.db.transact(fill_some, type_, read_batch):
                pass
        await merge(job, _)

    return PeriodicJob("search.fill", EVERY_MS, JobKind("search.fill", "sweep", run, args=NoArgs), NoArgs())


async def fill_some(tx: Tx, type_: SearchType, read_batch: ReadBatch) -> bool:
    """True if there is more to index."""
    row = await tx.one("SELECT position FROM search_filling WHERE type = $1 FOR UPDATE", type_)
    if row is None:
        return False
    batch = await read_batch(tx, row[0], BATCH)
    if batch.documents:
        await store_of(tx).put(tx, batch.documents)
        await store_of(tx).merge(tx, 2 * BATCH)
    if batch.last is None:
        await tx.run("DELETE FROM search_filling WHERE type = $1", type_)
        return False
    await tx.run("UPDATE search_filling SET position = $2 WHERE type = $1", type_, batch.last)
    return True
