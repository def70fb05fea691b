"""Every type that `GET /media/cdn` calls an image is one, however it is uploaded."""

from collections.abc import Callable
from pathlib import Path

import pytest

from stowboard_client import Client
from support.media.heic import heic
from support.media.pictures import corners, saved

pytestmark = pytest.mark.cluster_in_soak


def _heic(folder: Path) -> bytes:
    return heic(corners(300, 200).write_to_memory(), 300, 200, folder)


def _heif(folder: Path) -> bytes:
    """The same picture from a program that names the container alone and not its codec."""
    return _heic(folder).replace(b"heic\0\0\0\0mif1heic", b"mif1\0\0\0\0mif1miaf", 1)


def _saved(suffix: str) -> Callable[[Path], bytes]:
    return lambda _: saved(corners(300, 200), suffix)


MAKERS = {
    "image/jpeg": _saved(".jpg"),
    "image/png": _saved(".png"),
    "image/gif": _saved(".gif"),
    "image/webp": _saved(".webp"),
    "image/avif": _saved(".avif"),
    "image/heic": _heic,
    "image/heif": _heif,
    "image/tiff": _saved(".tif"),
}


def test_the_list_of_types_is_complete(client: Client) -> None:
    told = client.delivery.cdn()
    assert set(told.image_types) == set(MAKERS)
    assert {".heic", ".heif", ".jpg"} <= set(told.image_extensions)


@pytest.mark.parametrize("mime_type", MAKERS)
def test_each_type_becomes_an_image_with_a_thumbnail(client: Client, tmp_path: Path, mime_type: str) -> None:
    data = MAKERS[mime_type](tmp_path)
    asset = client.uploads.image("picture", data)
    assert (asset.kind, asset.width, asset.height) == ("image", 300, 200)
    assert asset.thumbnail_url is not None
    assert asset.placeholder is not None


@pytest.mark.parametrize("extension", [".HEIC", ".heif", ".jfif", ".avif", ".TIF"])
def test_an_announced_upload_is_an_image_by_its_extension_alone(client: Client, extension: str) -> None:
    announced = client.uploads.presigned(f"IMG_1{extension}", 100)
    assert client.assets.get(announced.id).kind == "image"
