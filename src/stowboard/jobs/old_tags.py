"""Tags that were stored before they were composed (NFC), and so are not found by who asks for them today.

A migration orders these jobs, once, where there is a tag that may be one. Each walks over a table in the order of ids,
a batch at a time, and what it finds is written anew by the room whose it is. A second run finds nothing.
"""

import unicodedata
from collections.abc import Awaitable, Callable

from stowboard.db.database import Tx
from stowboard.jobs.registry import Job, JobKind, NoArgs

_BATCH = 500


def composing(name: str, table: str, rewrite: Callable[[Tx, list[str]], Awaitable[None]]) -> JobKind[NoArgs]:
    """A job that gives `rewrite` the ids of rows whose tags are not composed."""

    async def run(job: Job, _: NoArgs) -> None:
        after = ""
        while found := await job.db.read(_tags_after, table, after):
            after = found[-1][0]
            old = [row_id for row_id, tags in found if not unicodedata.is_normalized("NFC", tags)]
            if old:
                await job.db.transact(rewrite, old)

    return JobKind(name, "sweep", run, args=NoArgs)


async def _tags_after(tx: Tx, table: str, after: str) -> list[tuple[str, str]]:
    rows = await tx.all(f"SELECT id, tags FROM {table} WHERE id > $1 ORDER BY id LIMIT $2", after, _BATCH)
    return [(row_id, tags) for row_id, tags in rows]
