"""The place is taken out of a picture, and nothing else: pixels, time and camera stay."""

from pathlib import Path

import pytest

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.inspection import inspect_image
from stowboard.media.images.patches import patched
from support.media.exif import exif, photo
from support.media.heic import heic
from support.media.pictures import corners, noise, opened, saved, vips

XMP = (
    b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description exif:GPSLatitude="53,32.7N" tiff:Make="Acme">'
    b"<exif:GPSLongitude>9,57.96W</exif:GPSLongitude><drone-dji:GpsLatitude>+53.545</drone-dji:GpsLatitude></rdf:Description></x:xmpmeta>"
)


def without_place(data: bytes) -> bytes:
    return patched(data, inspect_image(data, strip_location=True).patches)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".avif", ".heic"])
def test_a_picture_of_every_format_loses_its_place_alone(suffix: str, order: str, tmp_path: Path) -> None:
    if suffix == ".heic":
        data = heic(corners(64, 48).write_to_memory(), 64, 48, tmp_path, exif(order))
    else:
        data = photo(noise(64, 48), exif(order), suffix)
    before, stripped = inspect_image(data), without_place(data)
    assert before.location is not None, "else this test would show nothing"
    after = inspect_image(stripped)
    assert (after.location, after.taken_at, after.camera) == (None, before.taken_at, before.camera)
    assert len(stripped) == len(data)
    assert after.placeholder == before.placeholder
    assert inspect_image(stripped, strip_location=True).location is None
    if suffix != ".heic":
        assert (opened(stripped) - opened(data)).abs().max() == 0


@pytest.mark.parametrize("suffix", [".jpg", ".webp"])
def test_the_place_in_xmp_goes_too(suffix: str) -> None:
    image = noise(64, 48).copy()
    image.set_type(vips.GValue.blob_type, "xmp-data", XMP)
    stripped = without_place(saved(image, suffix))
    kept = bytes(vips.Image.new_from_buffer(stripped, "").get("xmp-data"))
    assert b"53,32" not in kept
    assert b"57.96" not in kept
    assert b"53.545" not in kept
    assert b'tiff:Make="Acme"' in kept


@pytest.mark.parametrize("place", [None, (1.0, 2.0)])
@pytest.mark.parametrize("order", ["<", ">"])
def test_the_notes_of_the_maker_go_too(order: str, place: tuple[float, float] | None) -> None:
    data = photo(noise(64, 48), exif(order, place=place, maker_note="53.545N 9.966W " * 400))
    stripped = without_place(data)
    assert (b"53.545N" in data, b"53.545N" in stripped, len(stripped)) == (True, False, len(data))
    after = inspect_image(stripped)
    assert (after.camera, after.taken_at is not None) == ("Acme Snap 7", True)


def test_a_place_that_is_compressed_cannot_be_taken_out() -> None:
    image = noise(64, 48).copy()
    image.set_type(vips.GValue.blob_type, "xmp-data", XMP)
    data = saved(image, ".png")
    if XMP not in data:
        with pytest.raises(InvalidMedia, match="leave stripLocation out"):
            without_place(data)
    else:
        assert b"57.96" not in without_place(data)


def test_a_picture_without_a_place_is_not_changed() -> None:
    data = saved(noise(64, 48), ".jpg")
    assert inspect_image(data, strip_location=True).patches == ()
