import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from stowboard.blobs.open import open_blobs
from stowboard.blobs.settings import BlobSettings
from stowboard.blobs.store import BlobStore
from stowboard.media.images.works import ImageWorks
from support.servers.seaweedfs import ACCESS_KEY, BUCKET, SECRET_KEY, SeaweedFs


@pytest.fixture
def s3_settings(seaweedfs: SeaweedFs) -> BlobSettings:
    """A prefix that no other test uses."""
    return BlobSettings(
        url=f"s3://{BUCKET}/{secrets.token_hex(6)}",
        s3_endpoint=seaweedfs.endpoint,
        access_key_id=ACCESS_KEY,
        secret_access_key=SECRET_KEY,
    )


@pytest.fixture
def disk_settings(tmp_path: Path) -> BlobSettings:
    return BlobSettings(url=str(tmp_path / "blobs"))


@pytest.fixture(params=["disk", "s3"])
def blob_settings(request: pytest.FixtureRequest) -> BlobSettings:
    settings: BlobSettings = request.getfixturevalue(f"{request.param}_settings")
    return settings


@pytest.fixture
async def blobs(blob_settings: BlobSettings) -> AsyncIterator[BlobStore]:
    blob_settings.validate()
    store = open_blobs(blob_settings)
    yield store
    await store.close()


@pytest.fixture
async def works() -> AsyncIterator[ImageWorks]:
    works = ImageWorks(2)
    yield works
    await works.close()
