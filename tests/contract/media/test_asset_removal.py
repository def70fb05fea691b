"""A deletion takes with it the bytes, what is on its way to them, and the job that waits; on both databases."""

from typing import Any

import msgspec
import pytest

from stowboard.blobs.keys import BlobKey, new_key
from stowboard.core import clock
from stowboard.core.errors import PreconditionFailed
from stowboard.core.ids import new_id
from stowboard.core.reach import LIBRARY
from stowboard.db.database import Database, Tx
from stowboard.media.assets import asset_store
from stowboard.media.assets.processing import process_later
from stowboard.media.assets.remove import remove_asset, remove_assets
from stowboard.media.base.asset import Asset, AssetStatus, IncomingBytes
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.upload import Upload, UploadId, UploadPurpose, UploadState
from support.media.asset_rows import ANN, check_counts, put_asset


async def jobs(database: Database, kind: str) -> list[Any]:
    rows = await database.read(_all, "SELECT args FROM job WHERE kind = $1 ORDER BY id", kind)
    return [msgspec.json.decode(args) for (args,) in rows]


async def _all(tx: Tx, sql: str, *args: Any) -> Any:
    return await tx.all(sql, *args)


async def discarded(database: Database) -> set[str]:
    return {key for args in await jobs(database, "media.discard") for key in args["keys"]}


async def _incoming(tx: Tx, asset: Asset, key: BlobKey) -> None:
    await process_later(tx, await asset_store.lock(tx, ANN, asset.id), IncomingBytes(key, 3, "b.png", None, "ann"))


def upload_for(subject: str, state: UploadState = UploadState.OPEN) -> Upload:
    now = clock.now_ms()
    return Upload(
        id=UploadId(new_id("upl")), purpose=UploadPurpose.ASSET, subject=subject, state=state,
        blob_key=new_key("asset"), space=LIBRARY, created_by="tests", made_through="", created_at=now, updated_at=now,
        expires_at=now + 1000,
    )  # fmt: skip


async def test_the_bytes_go_with_the_last_asset_that_has_them(database: Database) -> None:
    a, b = [await put_asset(database, sha256="same", tags=["x"]) for _ in range(2)]
    superfluous = await discarded(database)
    await database.transact(remove_asset, ANN, a.id, None)
    assert await discarded(database) == superfluous
    await database.transact(remove_asset, ANN, b.id, None)
    assert await discarded(database) == superfluous | {b.blob_key}
    assert await database.read(_all, "SELECT 1 FROM content") == []
    await check_counts(database)


async def test_assets_of_one_batch_may_have_the_same_bytes(database: Database) -> None:
    assets = [await put_asset(database, sha256=sha256, tags=["x", sha256]) for sha256 in ("one", "two", "one")]
    deleted = await database.transact(remove_assets, ANN, [asset.id for asset in assets])
    assert len(deleted) == 3
    assert {asset.blob_key for asset in assets} <= await discarded(database)
    await check_counts(database)


async def test_what_was_derived_goes_too(database: Database) -> None:
    asset = await put_asset(database, sha256="image")
    await database.transact(_derive, "image", "derived-key")
    await database.transact(remove_asset, ANN, asset.id, None)
    assert "derived-key" in await discarded(database)
    assert await database.read(_all, "SELECT 1 FROM derived") == []


async def _derive(tx: Tx, sha256: str, key: str) -> None:
    await tx.run(
        "INSERT INTO derived (sha256, recipe, format, blob_key, size, width, height, created_at)"
        " VALUES ($1, 'thumbnail', 'webp', $2, 1, 1, 1, 1)",
        sha256, key,
    )  # fmt: skip


async def test_bytes_that_wait_to_be_processed_go_and_so_does_their_job(database: Database) -> None:
    asset, key = await put_asset(database, sha256="old"), new_key("asset")
    await database.transact(_incoming, asset, key)
    assert len(await jobs(database, "media.process")) == 1
    await database.transact(remove_asset, ANN, asset.id, None)
    assert await jobs(database, "media.process") == []
    assert {key, asset.blob_key} <= await discarded(database)


async def test_open_uploads_end_and_their_bytes_go(database: Database) -> None:
    asset = await put_asset(database, status=AssetStatus.PENDING)
    mine, complete = upload_for(asset.id), upload_for(asset.id, UploadState.COMPLETE)
    others = upload_for((await put_asset(database)).id)
    for upload in (mine, complete, others):
        await database.transact(upload_store.insert, upload, upload.id)
    await database.transact(remove_assets, ANN, [asset.id])
    states = [(await database.read(upload_store.find, one.id)) for one in (mine, complete, others)]
    assert [one.state for one in states if one] == [UploadState.GONE, UploadState.COMPLETE, UploadState.OPEN]
    assert [args["key"] for args in await jobs(database, "media.discard_upload")] == [mine.blob_key]


async def test_a_deletion_that_is_refused_leaves_everything(database: Database) -> None:
    asset = await put_asset(database, sha256="kept", tags=["x"])
    upload = upload_for(asset.id)
    await database.transact(upload_store.insert, upload, "token")
    with pytest.raises(PreconditionFailed):
        await database.transact(remove_asset, ANN, asset.id, '"9-9"')
    found = await database.read(upload_store.find, upload.id)
    assert found == upload
    assert await database.read(asset_store.get, ANN, asset.id) == asset
    await check_counts(database)
