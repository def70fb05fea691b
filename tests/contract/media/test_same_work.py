"""An upload of bytes that somebody keeps does the same work as one of new bytes, so that its time tells nothing."""

from collections import Counter
from typing import Any

import pytest

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.open import open_blobs
from stowboard.blobs.settings import BlobSettings
from stowboard.blobs.store import BlobStore, WrittenBlob
from stowboard.core.services import Services
from stowboard.db.database import Database
from stowboard.media.assets import inline
from stowboard.media.assets.upload_bodies import UploadBody
from stowboard.media.base.asset import AssetKind
from stowboard.media.images.works import ImageWorks
from support.database.query_plans import plans_of
from support.media.asset_rows import ANN
from support.media.unique_images import jpeg, png

IMAGES = {"a small picture": png(40, 30), "a photo with a reduction": jpeg(900, 600)}


async def statements_and_writes(database: Database, blobs: BlobStore, works: ImageWorks, data: bytes) -> Any:
    """Upload the bytes as an image and as a file; how many statements ran, and the sizes of the blobs."""
    services, written = Services(), Counter[int]()
    store = counting(blobs, written)
    services.add(BlobStore, store)
    services.add(ImageWorks, works)
    statements = []
    for kind in (AssetKind.IMAGE, AssetKind.FILE):
        if kind is AssetKind.IMAGE:
            stored = await inline.keep_image(services, data, strip_location=False)
        else:
            stored = await inline.keep_file(store, data, "a.bin")
        arguments = (ANN, kind, UploadBody(filename="a.png", data=""), stored, store)
        statements.append(len(await plans_of(database, inline.create_asset, *arguments)))
        await database.transact(inline.create_asset, *arguments)
    return statements, written


def counting(blobs: BlobStore, written: Counter[int]) -> Any:
    class Counting:
        async def put_bytes(self, key: BlobKey, data: bytes, *rest: Any) -> WrittenBlob:
            written[len(data)] += 1
            return await blobs.put_bytes(key, data, *rest)

        delete_many = blobs.delete_many

    return Counting()


@pytest.mark.parametrize("name", IMAGES)
async def test_bytes_that_are_kept_already_are_stored_again_by_the_same_statements(
    database: Database, disk_settings: BlobSettings, works: ImageWorks, name: str
) -> None:
    blobs = open_blobs(disk_settings)
    new = await statements_and_writes(database, blobs, works, IMAGES[name])
    kept = await statements_and_writes(database, blobs, works, IMAGES[name])
    assert kept[1] == new[1], "as many blobs are written"
    assert kept[0] == new[0], "as many statements run"
    await blobs.close()
