"""The trash and versions below the API: restoring is exact, of purge and restoring one wins, counts stay true."""

import asyncio
import random
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
import pytest

from stowboard.blobs.keys import new_key
from stowboard.core import clock
from stowboard.core.errors import InTrash
from stowboard.core.reach import LIBRARY
from stowboard.db.database import Database, Tx
from stowboard.media.assets import asset_store, content_store, version_store
from stowboard.media.assets.bodies import AssetPatchBody
from stowboard.media.assets.listing import AssetFilters, AssetSort, list_assets, list_trashed_assets
from stowboard.media.assets.remove import remove_asset
from stowboard.media.assets.routes import edit_asset
from stowboard.media.assets.versions import restore_version
from stowboard.media.base.asset import Asset
from stowboard.media.base.errors import AssetVersionNotFound
from stowboard.media.base.settings import MediaSettings
from stowboard.media.base.storage import Storage
from stowboard.media.base.uses import NO_USES
from stowboard.media.batch_routes import move_media
from stowboard.media.library_routes import delete_some_media
from stowboard.media.purge import purge_assets, purge_versions
from support.media.asset_rows import ANN, check_counts, put_asset, write_something

TABLES = {
    "asset": [name for name in asset_store.COLUMNS.fields if name != "updated_at"],
    "asset_tag": ["space", "tag", "asset_id"],
    "asset_metadata": ["space", "name", "value", "asset_id"],
    "asset_version": ["asset_id", "version", "sha256"],
    "content": ["sha256", "blob_key"],
}
COUNTS = (
    "SELECT space, tag, sum(count) FROM asset_tag_part GROUP BY 1, 2 HAVING sum(count) > 0",
    "SELECT resource, kind, status, sum(count), sum(bytes) FROM media_stat_part GROUP BY 1, 2, 3 HAVING sum(count) > 0",
    "SELECT owner, sum(bytes), sum(spare) FROM media_usage_part GROUP BY 1",
)
_NO_STORE: Any = None
#: Without a limit.
ROOM = Storage(_NO_STORE, MediaSettings())


async def state(database: Database) -> list[Any]:
    return await database.read(_state)


async def _state(tx: Tx) -> list[Any]:
    statements = [f"SELECT {', '.join(names)} FROM {table}" for table, names in TABLES.items()]
    return [sorted(map(repr, map(tuple, await tx.all(sql)))) for sql in (*statements, *COUNTS)]


async def trash(database: Database, *ids: str, back: bool = False) -> list[Asset]:
    return (await database.transact(partial(move_media, to_trash=not back), ANN, ids)).assets


async def replace_bytes(database: Database, asset_id: str, sha256: str, keep: int = 3) -> None:
    await database.transact(_replace, asset_id, sha256, keep)


async def _replace(tx: Tx, asset_id: str, sha256: str, keep: int) -> None:
    """As processing does it, without bytes."""
    (before,) = await asset_store.find_and_lock_known(tx, [asset_id])
    surplus = await version_store.find_surplus(tx, before, keep)
    key = await content_store.claim(tx, sha256, new_key("asset"), 10)
    after = msgspec.structs.replace(
        before, sha256=sha256, blob_key=key, version=before.version + 1, updated_at=before.next_stamp()
    )
    versions = await version_store.replace(tx, before, after, surplus, keep)
    await asset_store.put(tx, before, after, versions.stats)
    await content_store.release(tx, versions.released)


@pytest.mark.parametrize("seed", range(4))
async def test_trash_then_restore_is_the_identity_on_any_state(database: Database, seed: int) -> None:
    chance = random.Random(seed)
    ids: list[str] = [(await put_asset(database, sha256="s", tags=["x"])).id for _ in range(5)]
    for number in range(40):
        await write_something(database, chance, ids, ["x", "y", "z"])
        if number % 5 == 0:
            asset = await put_asset(database, sha256=f"m{number}", metadata={"m": chance.choice("abc")}, tags=["y"])
            await replace_bytes(database, asset.id, f"n{number % 7}")
            ids.append(asset.id)
    found = await database.read(asset_store.find_many, ANN, ids)
    living = [asset.id for asset in found if asset.trashed_at is None]
    before = await state(database)
    some = chance.sample(living, len(living) // 2 + 1)
    await trash(database, *some)
    await check_counts(database)
    for sort in AssetSort:
        listed = await database.read(list_assets, AssetFilters(spaces=(LIBRARY,), sort=sort), None, 100)
        assert {asset.id for asset in listed.items} == set(living) - set(some)
    trashed = await database.read(list_trashed_assets, [LIBRARY], None, 100)
    assert {asset.id for asset in trashed.items} >= set(some)
    with pytest.raises(InTrash):
        await database.transact(edit_asset, ANN, some[0], AssetPatchBody(alt="x"), None)
    await trash(database, *some, back=True)
    assert await state(database) == before
    await check_counts(database)


async def test_of_a_purge_and_a_restoring_one_wins_whole(database: Database) -> None:
    ids = [(await put_asset(database, sha256=f"s{n}", tags=["x"], metadata={"a": "b"})).id for n in range(30)]
    for asset_id in ids[::3]:
        await replace_bytes(database, asset_id, f"t{asset_id}")
    await trash(database, *ids)
    later = clock.now_ms() + 1
    restored: list[str] = []

    async def restore() -> None:
        for asset_id in random.sample(ids, len(ids)):
            restored.extend(asset.id for asset in await trash(database, asset_id, back=True))
            await asyncio.sleep(0)

    async def purge() -> None:
        while await database.transact(purge_assets, later, NO_USES):
            await asyncio.sleep(0)

    await asyncio.gather(restore(), purge(), purge())
    left = await database.read(asset_store.find_many, ANN, ids)
    assert [(asset.id, asset.trashed_at) for asset in left] == sorted((asset_id, None) for asset_id in restored)
    had = await database.read(_column, "SELECT sha256 FROM asset UNION SELECT sha256 FROM asset_version")
    assert await database.read(_column, "SELECT sha256 FROM content") == had
    assert len(await database.read(_column, "SELECT asset_id FROM asset_tag")) == len(left)
    await check_counts(database)


async def _column(tx: Tx, sql: str) -> list[Any]:
    return sorted(value for (value,) in await tx.all(sql))


async def test_versions_are_kept_as_many_and_as_long_as_is_set(database: Database) -> None:
    asset = await put_asset(database, sha256="v1")
    for number in range(2, 8):
        await replace_bytes(database, asset.id, f"v{number}")
    assert await database.read(_column, "SELECT sha256 FROM content") == ["v4", "v5", "v6", "v7"]
    await check_counts(database)
    back = await database.transact(restore_version, ANN, asset.id, 5, 3, ROOM)
    assert (back.version, back.sha256, back.status) == (8, "v5", "ready")
    assert await database.read(_column, "SELECT version FROM asset_version") == [5, 6, 7]
    await check_counts(database)
    assert not await database.transact(purge_versions, 1000)
    while await database.transact(purge_versions, clock.now_ms() + 1000):
        pass
    assert await database.read(_column, "SELECT sha256 FROM content") == ["v5"]
    with pytest.raises(AssetVersionNotFound):
        await database.transact(restore_version, ANN, asset.id, 6, 3, ROOM)
    await check_counts(database)


async def test_bytes_stay_while_a_version_of_another_asset_has_them(database: Database) -> None:
    first, second = [await put_asset(database, sha256="shared") for _ in range(2)]
    await replace_bytes(database, first.id, "new")
    await database.transact(remove_asset, ANN, second.id, None)
    assert await database.read(_column, "SELECT sha256 FROM content") == ["new", "shared"]
    assert (await database.transact(restore_version, ANN, first.id, 1, 3, ROOM)).sha256 == "shared"
    await check_counts(database)


async def test_a_space_is_deleted_with_its_trash_and_its_versions(database: Database) -> None:
    assets = [await put_asset(database, sha256=f"d{n}", space="ann", created_by="ann") for n in range(4)]
    await replace_bytes(database, assets[0].id, "d9")
    await replace_bytes(database, assets[1].id, "d8", keep=0)
    await trash(database, assets[0].id, assets[2].id)
    while await database.transact(delete_some_media, NO_USES, "ann"):
        pass
    assert await database.read(_column, "SELECT sha256 FROM content") == []
    await check_counts(database)


async def test_ten_replaces_at_once_beside_restorings_keep_counts_and_contents_true(database: Database) -> None:
    asset = await put_asset(database, sha256="w0")

    async def replace(number: int) -> None:
        await replace_bytes(database, asset.id, f"w{number}")

    async def restore(number: int) -> None:
        with suppress(AssetVersionNotFound):
            await database.transact(restore_version, ANN, asset.id, number, 3, ROOM)

    await asyncio.gather(*(replace(number) for number in range(1, 11)), *(restore(number) for number in range(1, 6)))
    had = await database.read(_column, "SELECT sha256 FROM asset UNION SELECT sha256 FROM asset_version")
    assert await database.read(_column, "SELECT sha256 FROM content") == had
    assert len(await database.read(_column, "SELECT version FROM asset_version")) == 3
    await check_counts(database)
