"""The sweep removes old bytes that no row names, and never any that a row needs."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from stowboard.blobs.disk import DiskBlobs
from stowboard.blobs.keys import BlobKey, new_key
from stowboard.blobs.named import BLOB_COLUMNS
from stowboard.blobs.store import BlobStore
from stowboard.core import clock
from stowboard.core.services import Services
from stowboard.db.database import Database
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import NoArgs
from stowboard.media.base.asset import IncomingBytes
from stowboard.media.sweep import BATCH, BEGIN, GRACE_MS, KINDS, SWEEP, named_keys, sweep_batch
from support.database.query_plans import plans_of
from support.database.statements import execute
from support.jobs.working import no_jobs_left, working
from support.media.asset_rows import put_asset
from support.waiting import until

HOUR_MS = 3600 * 1000
#: What names a blob, and the statement that writes such a row.
NAMED = {
    "content": "INSERT INTO content (sha256, blob_key, size, created_at) VALUES ('x', $1, 1, 1)",
    "upload": "INSERT INTO upload (id, token_digest, purpose, subject, state, generation, blob_key, parts, received,"
    " space, created_by, made_through, created_at, updated_at, expires_at)"
    " VALUES ('u', '\\x00', 'asset', 's', 'open', 1, $1, 0, 0, 's', 'o', '', 1, 1, 1)",
    "video": "INSERT INTO video (id, provider_video_id, title, tags, status, visibility, upload_id, blob_key, epoch,"
    " space, created_by, created_at, updated_at)"
    " VALUES ('v', 'p', 't', '[]', 'ready', 'public', 'u', $1, 0, 's', 'o', 1, 1)",
    "poster": "INSERT INTO video (id, provider_video_id, title, tags, status, visibility, upload_id, poster_key, epoch,"
    " space, created_by, created_at, updated_at)"
    " VALUES ('w', 'q', 't', '[]', 'ready', 'public', 'u', $1, 0, 's', 'o', 1, 1)",
}


async def stored(blobs: BlobStore) -> set[BlobKey]:
    return {blob.key async for blob in blobs.walk()}


async def put(blobs: BlobStore, kind: str = "asset") -> BlobKey:
    key = new_key(kind)
    await blobs.put_bytes(key, b"x")
    return key


async def sweep_all(database: Database, blobs: BlobStore, before_ms: int) -> None:
    for kind in KINDS:
        last = await sweep_batch(database, blobs, kind, None, before_ms)
        while last is not None:
            last = await sweep_batch(database, blobs, kind, last, before_ms)


def soon() -> int:
    return clock.now_ms() + HOUR_MS


async def test_what_no_row_names_goes_whatever_its_kind(database: Database, blobs: BlobStore) -> None:
    for kind in KINDS:
        await put(blobs, kind)
    other = await put(blobs, "others")
    await sweep_all(database, blobs, soon())
    assert await stored(blobs) == {other}


async def test_what_is_young_stays(database: Database, blobs: BlobStore) -> None:
    keys = {await put(blobs), await put(blobs, "derived")}
    await sweep_all(database, blobs, clock.now_ms() - HOUR_MS)
    assert await stored(blobs) == keys


@pytest.mark.parametrize("name", NAMED)
async def test_what_a_row_names_stays(database: Database, blobs: BlobStore, name: str) -> None:
    key, _ = await put(blobs), await put(blobs)
    statement = NAMED[name] if database.dialect == "postgres" else NAMED[name].replace("'\\x00'", "x'00'")
    await execute(database, statement, key)
    await sweep_all(database, blobs, soon())
    assert await stored(blobs) == {key}


async def test_bytes_that_wait_to_be_processed_stay(database: Database, blobs: BlobStore) -> None:
    key = await put(blobs)
    await put_asset(database, incoming=IncomingBytes(key, 1, "a", None, "ann"))
    await sweep_all(database, blobs, soon())
    assert await stored(blobs) == {key}


async def test_names_are_looked_up_and_not_searched_for(database: Database) -> None:
    if database.dialect != "sqlite":
        pytest.skip("a small table is searched there whatever indexes it has")
    (plan,) = await plans_of(database, named_keys, [new_key("asset"), new_key("asset")])
    assert (len(plan.steps) >= len(BLOB_COLUMNS), plan.scanned) == (True, [])


@pytest.fixture
async def many(tmp_path: Path) -> AsyncIterator[DiskBlobs]:
    """More old blobs than one batch has, of two kinds, and a young one."""
    store = DiskBlobs(tmp_path / "many")
    for key in await asyncio.gather(*(put(store, kind) for kind in ["asset"] * (BATCH + 7) + ["rendition"] * 3)):
        make_old(store, key)
    yield store
    await store.close()


def make_old(store: DiskBlobs, key: BlobKey) -> None:
    seconds = (clock.now_ms() - GRACE_MS) / 1000 - 60
    os.utime(store.local_path(key), (seconds, seconds))


async def test_a_sweep_by_the_clock_goes_through_all_of_the_store(database: Database, many: DiskBlobs) -> None:
    young, named = await put(many), await put(many)
    make_old(many, named)
    await execute(database, NAMED["content"], named)
    services = Services()
    services.add(BlobStore, many)
    await database.transact(enqueue, BEGIN, NoArgs())
    async with working(database, BEGIN, SWEEP, services=services):
        await until(lambda: no_jobs_left(database))
    assert await stored(many) == {young, named}


async def test_a_sweep_goes_on_where_its_worker_was_killed(database: Database, many: DiskBlobs) -> None:
    last = await sweep_batch(database, many, "asset", None, clock.now_ms() - GRACE_MS)
    assert last is not None
    left = await stored(many)
    assert len(left) == 10
    assert await sweep_batch(database, many, "asset", last, clock.now_ms() - GRACE_MS) is None
    assert {key.partition("/")[0] for key in await stored(many)} == {"rendition"}
