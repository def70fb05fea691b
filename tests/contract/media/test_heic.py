"""HEIC, as phones write it: described, and made into what browsers show."""

from pathlib import Path

import pytest

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.images.works import ImageWorks
from support.media.derived_images import derived
from support.media.heic import heic
from support.media.pictures import BLUE, GREEN, RED, WHITE, corners, is_near, pixel


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return heic(corners(300, 200).write_to_memory(), 300, 200, tmp_path_factory.mktemp("heic"))


async def test_a_heic_photo_is_described(works: ImageWorks, tmp_path: Path, photo: bytes) -> None:
    path = tmp_path / "blob"
    path.write_bytes(photo)
    picture = await works.inspect(photo)
    assert (picture.mime_type, picture.width, picture.height) == ("image/heic", 300, 200)
    assert await works.inspect(path) == picture


@pytest.mark.parametrize("image_format", ImageFormat)
def test_images_of_a_class_are_made_of_it(photo: bytes, image_format: ImageFormat) -> None:
    made = derived(photo, "half", image_format)
    assert (made.width, made.height) == (100, 67)
    seen = [pixel(made.data, x, y) for y in (0.2, 0.8) for x in (0.2, 0.8)]
    assert all(map(is_near, seen, (RED, GREEN, BLUE, WHITE))), seen


async def test_one_that_is_cut_off_or_damaged_is_refused(works: ImageWorks, photo: bytes) -> None:
    for size in range(12, len(photo) - 1, len(photo) // 25):
        with pytest.raises(InvalidMedia):
            await works.inspect(photo[:size])
    for at in range(40, len(photo) - 8, len(photo) // 40):
        try:
            await works.inspect(photo[:at] + b"\xff" * 8 + photo[at + 8 :])
        except InvalidMedia:
            continue


async def test_one_that_claims_too_many_pixels_is_refused_by_its_header(works: ImageWorks, photo: bytes) -> None:
    at = photo.index(b"ispe") + 8
    with pytest.raises(InvalidMedia):
        await works.inspect(photo[:at] + b"\x00\x00\xf0\x00" * 2 + photo[at + 8 :])
