"""Changes of assets below the API: what is told apart, and what many writers at once leave behind."""

import asyncio
import random

import pytest
from msgspec.structs import replace

from stowboard.blobs.keys import new_key
from stowboard.core import clock
from stowboard.db.database import Database
from stowboard.media.assets import asset_store
from stowboard.media.assets.bodies import AssetPatchBody
from stowboard.media.assets.bulk import TagAction
from stowboard.media.assets.processing import process_later
from stowboard.media.assets.routes import edit_asset
from stowboard.media.assets.wire import etag
from stowboard.media.base import stat_store
from stowboard.media.base.asset import AssetStatus, IncomingBytes
from stowboard.media.batch_routes import delete_media, tag_media
from support.media.asset_rows import ANN, check_counts, put_asset, write_something


async def test_two_changes_within_a_millisecond_are_told_apart(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now_ms()
    monkeypatch.setattr(clock, "now_ms", lambda: now)
    asset = await put_asset(database)
    etags = {etag(asset)}
    for alt in "abc":
        etags.add(etag(await database.transact(edit_asset, ANN, asset.id, AssetPatchBody(alt=alt), None)))
    assert len(etags) == 4


async def test_a_clock_that_was_set_back_does_not_take_a_change_back(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    asset = await put_asset(database)
    monkeypatch.setattr(clock, "now_ms", lambda: 1000)
    assert (
        await database.transact(edit_asset, ANN, asset.id, AssetPatchBody(alt="x"), None)
    ).updated_at > asset.updated_at


async def test_bytes_that_wait_to_be_processed_count_beside_those_that_are_served(database: Database) -> None:
    """As after a fetch from a URL, whose size nobody announced, and after a replace."""
    waiting = IncomingBytes(new_key("asset"), 500, "b.png", None, "tests")
    fetched = await put_asset(database, status=AssetStatus.PENDING, size=0)
    announced = await put_asset(database, status=AssetStatus.PENDING, size=500)
    served = await put_asset(database, sha256="served", size=30)
    for asset in (fetched, announced, served):
        await database.transact(process_later, asset, waiting)
    assert await database.read(stat_store.used, "tests") == 500 + 500 + 530
    for asset in await database.read(asset_store.find_many, ANN, [fetched.id, announced.id, served.id]):
        after = replace(asset, status=AssetStatus.FAILED, incoming=None)
        await database.transact(asset_store.put, asset, after)
    assert await database.read(stat_store.used, "tests") == 30


async def test_batches_in_opposite_orders_wait_for_each_other_and_all_end(database: Database) -> None:
    """Each has other tags to count down, so without one order for all of them they would block each other."""
    assets = [await put_asset(database, sha256="same", tags=[chr(97 + n), chr(112 - n)]) for n in range(12)]
    ids = [asset.id for asset in assets]
    await asyncio.gather(
        *(
            database.transact(tag_media, ANN, action, order, ["b", "a", "z"])
            for action in (TagAction.ADD, TagAction.REMOVE, TagAction.ADD)
            for order in (ids, ids[::-1])
        )
    )
    await check_counts(database)
    done = await asyncio.gather(*(database.transact(delete_media, ANN, part) for part in (ids[:8], ids[4:], ids[::-1])))
    assert sum(deleted.number for deleted in done) == 12
    await check_counts(database)


async def test_counts_are_true_after_writers_of_every_kind(database: Database) -> None:
    ids: list[str] = [(await put_asset(database, tags=["x"])).id for _ in range(8)]

    async def write(chance: random.Random) -> None:
        for _ in range(40):
            await write_something(database, chance, ids, ["x", "y", "z"])

    await asyncio.gather(*(write(random.Random(seed)) for seed in range(4)))
    await check_counts(database)
