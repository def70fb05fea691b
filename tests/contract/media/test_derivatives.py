"""Derived images are made once, kept, healed and forgotten, on both databases and both stores."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import msgspec
import pytest

from stowboard.blobs.keys import BlobKey, new_key
from stowboard.blobs.settings import BlobSettings
from stowboard.blobs.store import BlobStore
from stowboard.core.ids import new_id, time_of
from stowboard.core.reach import LIBRARY
from stowboard.db.database import Database, Tx
from stowboard.media.assets import asset_store, content_store
from stowboard.media.base.asset import Asset, AssetId, AssetKind, AssetStatus, FocalPoint
from stowboard.media.base.classes import TransformClasses
from stowboard.media.base.discard import DISCARD
from stowboard.media.base.errors import AssetNotFound, AssetNotReady, InvalidMedia, NotTransformable
from stowboard.media.damage.check import CONTENT, tell
from stowboard.media.images.derivatives import Derivatives, TellOfDamage
from stowboard.media.images.picture import DerivedImage
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.images.transforms.recipe import TransformRecipe
from stowboard.media.images.works import ImageWorks
from support.media.pictures import corners, opened, saved

CLASSES = TransformClasses()
THUMBNAIL, SMALL = CLASSES.get("thumbnail"), CLASSES.get("small")
PHOTO = saved(corners(900, 600), ".jpg")


class CountingWorks(ImageWorks):
    """Counts, and waits before each piece of work until it may go on."""

    def __init__(self) -> None:
        super().__init__(2)
        self.made = 0
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()

    async def derive(
        self,
        source: Path | bytes,
        recipe: TransformRecipe,
        image_format: ImageFormat,
        full_size: tuple[int, int] | None = None,
    ) -> DerivedImage:
        self.made += 1
        await self.may_go_on.wait()
        return await super().derive(source, recipe, image_format, full_size)


@pytest.fixture
async def works() -> AsyncIterator[CountingWorks]:
    works = CountingWorks()
    yield works
    await works.close()


@pytest.fixture(params=["sqlite and disk", "postgres and s3"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite and disk":
        shutil.copy(request.getfixturevalue("migrated_file"), tmp_path)
        return f"sqlite:///{tmp_path}/stowboard.db"
    template = request.getfixturevalue("migrated_template")
    url: str = request.getfixturevalue("postgres").create_database(template=template)
    return url


@pytest.fixture
def blob_settings(request: pytest.FixtureRequest, database_url: str) -> BlobSettings:
    kind = "disk" if database_url.startswith("sqlite") else "s3"
    settings: BlobSettings = request.getfixturevalue(f"{kind}_settings")
    return settings


def telling(database: Database) -> TellOfDamage:
    return partial(tell, database, CONTENT, damaged=True)


@pytest.fixture
async def derivatives(
    database: Database, blobs: BlobStore, works: CountingWorks, tmp_path: Path
) -> AsyncIterator[Derivatives]:
    derivatives = Derivatives(database, blobs, works, tmp_path / "work", telling(database))
    yield derivatives
    await derivatives.close()


async def keep(database: Database, blobs: BlobStore, data: bytes, kind: AssetKind = AssetKind.IMAGE) -> Asset:
    key = new_key("asset")
    written = await blobs.put_bytes(key, data)
    asset_id = AssetId(new_id("ast"))
    asset = Asset(
        id=asset_id, space=LIBRARY, kind=kind, filename="photo.jpg", status=AssetStatus.READY, sha256=written.sha256,
        blob_key=key, mime_type="image/jpeg", size=written.size, width=900, height=600, created_by="ann", sent_by="ann",
        updated_at=time_of(asset_id),
    )  # fmt: skip

    async def add(tx: Tx) -> Asset:
        kept = await content_store.claim(tx, written.sha256, key, written.size)
        after = msgspec.structs.replace(asset, blob_key=kept)
        await asset_store.put(tx, None, after)
        return after

    return await database.transact(add)


async def delete(database: Database, asset: Asset) -> None:
    async def remove(tx: Tx) -> None:
        await asset_store.remove_many(tx, [asset])
        assert asset.sha256 is not None
        await content_store.release(tx, [asset.sha256])

    await database.transact(remove)


async def content(blobs: BlobStore, key: BlobKey) -> bytes:
    return b"".join([chunk async for chunk in blobs.read(key)])


async def derived_blobs(blobs: BlobStore) -> list[BlobKey]:
    return [blob.key async for blob in blobs.walk("derived")]


async def ordered_discards(database: Database) -> set[str]:
    rows = await database.read(lambda tx: tx.all("SELECT args FROM job WHERE kind = $1", DISCARD.name))
    return {key for (args,) in rows for key in msgspec.json.decode(args)["keys"]}


async def test_a_derived_image_is_what_was_ordered_and_is_kept(
    database: Database, blobs: BlobStore, derivatives: Derivatives, works: CountingWorks
) -> None:
    asset = await keep(database, blobs, PHOTO)
    file = await derivatives.get(asset, THUMBNAIL, ImageFormat.WEBP)
    data = await content(blobs, file.key)
    assert (file.size, file.mime_type, file.width, file.height) == (len(data), "image/webp", 200, 200)
    assert (opened(data).width, opened(data).height) == (200, 200)
    assert file.etag.startswith('"')
    assert await derivatives.get(asset, THUMBNAIL, ImageFormat.WEBP) == file
    assert works.made == 1


async def test_each_class_format_and_focal_point_is_an_image_of_its_own(
    database: Database, blobs: BlobStore, derivatives: Derivatives, works: CountingWorks
) -> None:
    asset = await keep(database, blobs, PHOTO)
    moved = msgspec.structs.replace(asset, focal_point=FocalPoint(0.1, 0.1))
    orders = [
        (each, transform_class, image_format)
        for each in (asset, moved)
        for transform_class in (THUMBNAIL, SMALL)
        for image_format in (ImageFormat.JPEG, ImageFormat.WEBP)
    ]
    files = await asyncio.gather(*(derivatives.get(*order) for order in orders))
    # Scaling does not depend on the focal point.
    assert len({file.key for file in files}) == works.made == 6
    assert len({file.etag for file in files}) == 6


async def test_assets_of_the_same_bytes_share_what_is_made_of_them(
    database: Database, blobs: BlobStore, derivatives: Derivatives, works: CountingWorks
) -> None:
    one, other = await keep(database, blobs, PHOTO), await keep(database, blobs, PHOTO)
    assert await derivatives.get(one, SMALL, ImageFormat.JPEG) == await derivatives.get(other, SMALL, ImageFormat.JPEG)
    await delete(database, one)
    assert await derivatives.get(other, SMALL, ImageFormat.JPEG)
    assert works.made == 1


async def test_a_hundred_callers_at_once_have_it_made_once(
    database: Database, blobs: BlobStore, derivatives: Derivatives, works: CountingWorks
) -> None:
    asset = await keep(database, blobs, PHOTO)
    files = await asyncio.gather(*(derivatives.get(asset, THUMBNAIL, ImageFormat.JPEG) for _ in range(100)))
    assert len(set(files)) == works.made == 1
    assert await derived_blobs(blobs) == [files[0].key]


async def test_a_caller_that_goes_away_does_not_take_it_from_the_others(
    database: Database, blobs: BlobStore, derivatives: Derivatives, works: CountingWorks
) -> None:
    asset = await keep(database, blobs, PHOTO)
    works.may_go_on.clear()
    first, second = (asyncio.create_task(derivatives.get(asset, THUMBNAIL, ImageFormat.JPEG)) for _ in range(2))
    while not works.made:
        await asyncio.sleep(0.005)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    works.may_go_on.set()
    assert (await second).width == 200
    assert works.made == 1


async def test_a_failure_fails_all_who_wait_and_is_not_remembered(
    database: Database, blobs: BlobStore, derivatives: Derivatives, works: CountingWorks
) -> None:
    asset = await keep(database, blobs, PHOTO[:200])
    results = await asyncio.gather(
        *(derivatives.get(asset, THUMBNAIL, ImageFormat.JPEG) for _ in range(10)), return_exceptions=True
    )
    assert {type(result) for result in results} == {InvalidMedia}
    assert works.made == 1
    assert await derived_blobs(blobs) == []
    with pytest.raises(InvalidMedia):
        await derivatives.get(asset, THUMBNAIL, ImageFormat.JPEG)
    assert works.made == 2


async def test_two_processes_that_make_the_same_keep_one(
    database: Database, other_node: Database, blobs: BlobStore, derivatives: Derivatives, works: CountingWorks,
    tmp_path: Path,
) -> None:  # fmt: skip
    asset = await keep(database, blobs, PHOTO)
    elsewhere = Derivatives(other_node, blobs, works, tmp_path / "work", telling(other_node))
    works.may_go_on.clear()
    both = [asyncio.create_task(each.get(asset, THUMBNAIL, ImageFormat.JPEG)) for each in (derivatives, elsewhere)]
    while works.made < 2:
        await asyncio.sleep(0.005)
    works.may_go_on.set()
    one, other = await asyncio.gather(*both)
    assert one == other
    spare = set(await derived_blobs(blobs)) - {one.key}
    assert len(spare) == 1
    assert await ordered_discards(database) == spare
    await elsewhere.close()


async def test_one_that_was_deleted_from_the_store_is_made_again(
    database: Database, blobs: BlobStore, derivatives: Derivatives, works: CountingWorks
) -> None:
    asset = await keep(database, blobs, PHOTO)
    lost = await derivatives.get(asset, THUMBNAIL, ImageFormat.JPEG)
    await blobs.delete_many([lost.key])
    found = await derivatives.make_again(asset, THUMBNAIL, ImageFormat.JPEG, lost)
    assert found.key != lost.key
    assert await content(blobs, found.key)
    assert await derivatives.get(asset, THUMBNAIL, ImageFormat.JPEG) == found
    assert await derivatives.make_again(asset, THUMBNAIL, ImageFormat.JPEG, lost) == found, "somebody else was first"
    assert works.made == 2


async def test_with_its_content_gone_nothing_is_kept(
    database: Database, blobs: BlobStore, derivatives: Derivatives, works: CountingWorks
) -> None:
    """The asset is deleted while its image is being made."""
    asset = await keep(database, blobs, PHOTO)
    works.may_go_on.clear()
    waiting = asyncio.create_task(derivatives.get(asset, THUMBNAIL, ImageFormat.JPEG))
    while not works.made:
        await asyncio.sleep(0.005)
    await delete(database, asset)
    works.may_go_on.set()
    with pytest.raises(AssetNotFound):
        await waiting
    assert await ordered_discards(database) == {asset.blob_key, *await derived_blobs(blobs)}


async def test_what_was_made_goes_with_the_content(
    database: Database, blobs: BlobStore, derivatives: Derivatives
) -> None:
    asset = await keep(database, blobs, PHOTO)
    file = await derivatives.get(asset, THUMBNAIL, ImageFormat.JPEG)
    await delete(database, asset)
    assert await ordered_discards(database) == {asset.blob_key, file.key}
    assert await database.read(lambda tx: tx.all("SELECT 1 FROM derived")) == []


async def test_an_original_that_is_lost_is_not_found(
    database: Database, blobs: BlobStore, derivatives: Derivatives
) -> None:
    asset = await keep(database, blobs, PHOTO)
    assert asset.blob_key is not None
    await blobs.delete_many([asset.blob_key])
    with pytest.raises(AssetNotFound):
        await derivatives.get(asset, THUMBNAIL, ImageFormat.JPEG)


async def test_only_images_with_bytes_can_be_transformed(
    database: Database, blobs: BlobStore, derivatives: Derivatives
) -> None:
    asset = await keep(database, blobs, PHOTO)
    with pytest.raises(NotTransformable):
        await derivatives.get(msgspec.structs.replace(asset, kind=AssetKind.FILE), THUMBNAIL, ImageFormat.JPEG)
    with pytest.raises(AssetNotReady):
        await derivatives.get(msgspec.structs.replace(asset, sha256=None, blob_key=None), THUMBNAIL, ImageFormat.JPEG)


async def test_after_the_end_nothing_is_left_running_or_lying_about(
    database: Database, blobs: BlobStore, derivatives: Derivatives, works: CountingWorks, tmp_path: Path
) -> None:
    asset = await keep(database, blobs, PHOTO)
    works.may_go_on.clear()
    waiting = asyncio.create_task(derivatives.get(asset, THUMBNAIL, ImageFormat.JPEG))
    while not works.made:
        await asyncio.sleep(0.005)
    await derivatives.close()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert list(tmp_path.glob("work/*")) == []
