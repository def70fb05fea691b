"""Queries that every request makes look at the few uploads that are open, however many have ended."""

from functools import partial

from stowboard.blobs.keys import new_key
from stowboard.core.ids import id_at
from stowboard.db.database import Database, Tx
from stowboard.media.base import stat_store
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.upload import Upload, UploadId, UploadPurpose, UploadState
from support.database.query_plans import plans_of

NOW = 1_700_000_000_000


async def test_open_uploads_are_found_without_those_that_ended(database: Database) -> None:
    await database.transact(_put_many)
    if database.dialect == "postgres":
        await database.read(lambda tx: tx.run("ANALYZE upload"))
    assert await database.read(stat_store.uploading) == 30
    assert await database.read(stat_store.uploading, owner="ann") == 30
    for verb, *arguments in (
        (stat_store.uploading,),
        (partial(stat_store.uploading, owner="ann"),),
        (upload_store.has_to_fetch, "ann"),
    ):
        for plan in await plans_of(database, verb, *arguments):
            assert any("upload_counted" in step or "upload_to_fetch" in step for step in plan.steps), plan
            assert "upload" not in plan.scanned, plan


async def _put_many(tx: Tx) -> None:
    for number in range(5000):
        state = UploadState.OPEN if number % 500 == 0 else UploadState.COMPLETE
        upload = Upload(
            id=UploadId(id_at("upl", NOW + number)), purpose=UploadPurpose.VIDEO, subject=f"vid_{number}", state=state,
            blob_key=new_key("video"), length=3, space="spc_library", created_by="ann", made_through="",
            created_at=NOW, updated_at=NOW,
            expires_at=NOW,
        )  # fmt: skip
        await upload_store.insert(tx, upload, f"{number}")
