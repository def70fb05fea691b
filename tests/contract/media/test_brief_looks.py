"""A brief look at an image refuses what a long one refuses, and takes what that takes."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.inspection import inspect_image
from support.media.pictures import noise, saved, with_secrets

SIDE = 900
NOISE = noise(SIDE, SIDE)
PLAIN = saved(NOISE, ".jpg", Q=75)
PLACED = with_secrets(NOISE, ".jpg")
JPEGS = [
    PLAIN,
    PLACED,
    saved(NOISE.colourspace("b-w"), ".jpg", Q=99),
    saved(NOISE.colourspace("cmyk"), ".jpg", Q=60),
    saved(NOISE, ".jpg", Q=75, subsample_mode="off"),
]
OTHERS = [saved(NOISE, ".jpg", Q=75, interlace=True), saved(NOISE, ".jpg", Q=75, restart_interval=7)]
Damage = Callable[[bytes], bytes]
places = st.floats(0, 1, exclude_max=True)


def cut(at: float) -> Damage:
    return lambda data: data[: int(at * len(data))]


def cut_with_an_end(at: float) -> Damage:
    return lambda data: data[: int(at * len(data))] + b"\xff\xd9"


def without(at: float, length: int) -> Damage:
    return lambda data: data[: int(at * len(data))] + data[int(at * len(data)) + length :]


def overwritten(at: float, by: bytes) -> Damage:
    return lambda data: data[: int(at * len(data))] + by + data[int(at * len(data)) + len(by) :]


#: In the header, where there is most to break.
beginnings = places.map(lambda place: place / 500)
marks = st.builds(lambda kind: bytes([0xFF, kind]), st.integers(0, 255))
damages = st.one_of(
    st.builds(cut, places),
    st.builds(cut, beginnings),
    st.builds(cut_with_an_end, places),
    st.builds(without, places | beginnings, st.integers(1, 300)),
    st.builds(overwritten, places | beginnings, st.binary(min_size=1, max_size=300) | marks),
)


def look(data: bytes, *, briefly: bool) -> tuple[object, ...] | None:
    try:
        picture = inspect_image(data, briefly=briefly)
    except InvalidMedia:
        return None
    return picture.mime_type, picture.width, picture.height, picture.taken_at, picture.camera, picture.location


@given(st.integers(0, len(JPEGS + OTHERS) - 1), st.lists(damages, max_size=2))
def test_whatever_happened_to_a_jpeg_both_say_the_same(number: int, damages: list[Damage]) -> None:
    data = (JPEGS + OTHERS)[number]
    for damage in damages:
        data = damage(data)
    assert look(data, briefly=True) == look(data, briefly=False)


@pytest.mark.parametrize("data", JPEGS, ids=["plain", "placed", "grey", "cmyk", "whole colours"])
def test_a_whole_jpeg_need_not_be_decoded(data: bytes) -> None:
    picture = inspect_image(data, briefly=True)
    assert (picture.width, picture.placeholder, picture.reduction) == (SIDE, None, None)


def test_a_progressive_one_or_one_with_restarts_is_decoded_and_so_are_other_types() -> None:
    for data in (*OTHERS, saved(NOISE, ".png"), saved(NOISE, ".webp", Q=95)):
        assert inspect_image(data, briefly=True).placeholder is not None


def test_the_place_is_taken_out_all_the_same() -> None:
    picture = inspect_image(PLACED, strip_location=True, briefly=True)
    assert picture.patches == inspect_image(PLACED, strip_location=True).patches != []
