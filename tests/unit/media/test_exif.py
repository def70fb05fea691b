"""EXIF as cameras write it is read; broken parts are left out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.media.base.asset import Location
from stowboard.media.images.exif import ExifFacts, read_exif
from support.media.exif import exif

TAKEN_MS = 1714972089000  # 2024-05-06T07:08:09+02:00


@pytest.mark.parametrize("order", ["<", ">"])
def test_time_camera_and_place_are_read(order: str) -> None:
    assert read_exif(exif(order)) == ExifFacts(TAKEN_MS, "Acme Snap 7", Location(53.545, -9.966))
    assert read_exif(exif(order, zone=None)).at == TAKEN_MS + 2 * 3600 * 1000
    assert read_exif(exif(order, place=None)).location is None


@pytest.mark.parametrize(
    ("make", "model", "camera"),
    [
        ("Canon", "Canon EOS R5", "Canon EOS R5"), ("Apple", "iPhone 17", "Apple iPhone 17"), ("", "", None),
        ("A\nB", "\x01C", "A B C"), ("x" * 300, "y", "x" * 120), ("Größe", "été 7", "Größe été 7"),
    ],
)  # fmt: skip
def test_a_camera_is_named_once_and_in_plain_words(make: str, model: str, camera: str | None) -> None:
    assert read_exif(exif(make=make, model=model)).camera == camera


@pytest.mark.parametrize("taken", ["0000:00:00 00:00:00", "    :  :     :  :  ", "2024:13:45 99:99:99", "soon", ""])
def test_a_time_that_there_is_not_is_left_out(taken: str) -> None:
    assert read_exif(exif(taken=taken)).at is None


@pytest.mark.parametrize("place", [(0.0, 0.0), (91.0, 10.0), (10.0, 181.0)])
def test_a_place_that_there_is_not_is_left_out(place: tuple[float, float]) -> None:
    assert read_exif(exif(place=place)).location is None


WRITTEN = exif()


@given(
    st.lists(st.tuples(st.integers(0, len(WRITTEN)), st.binary(max_size=6)), max_size=6), st.integers(0, len(WRITTEN))
)
def test_broken_exif_breaks_nothing(changes: list[tuple[int, bytes]], size: int) -> None:
    data = WRITTEN
    for at, new in changes:
        data = data[:at] + new + data[at + len(new) :]
    read_exif(data[:size])
    read_exif(data)
