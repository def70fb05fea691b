"""The brief look at a large JPEG refuses what decoding it refuses, and takes what that takes."""

from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.inspection import describe_image, inspect_image
from support.media.pictures import Image, noise, saved, with_secrets

SIDE = 900
PLAIN: dict[str, Callable[[Image], bytes]] = {
    "usual": lambda image: saved(image, ".jpg", Q=75),
    "placed": lambda image: with_secrets(image, ".jpg"),
    "grey": lambda image: saved(image.colourspace("b-w"), ".jpg", Q=99),
    "cmyk": lambda image: saved(image.colourspace("cmyk"), ".jpg", Q=60),
    "whole colours": lambda image: saved(image, ".jpg", Q=75, subsample_mode="off"),
}
OTHERS: dict[str, Callable[[Image], bytes]] = {
    "progressive": lambda image: saved(image, ".jpg", Q=75, interlace=True),
    "with restarts": lambda image: saved(image, ".jpg", Q=75, restart_interval=7),
    "png": lambda image: saved(image, ".png"),
    "webp": lambda image: saved(image, ".webp", Q=95),
}
JPEGS = [*PLAIN, "progressive", "with restarts"]
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


@cache
def made(name: str) -> bytes:
    return (PLAIN | OTHERS)[name](noise(SIDE, SIDE))


def passes(look: Callable[[bytes], object], data: bytes) -> bool:
    try:
        look(data)
    except InvalidMedia:
        return False
    return True


@given(st.sampled_from(JPEGS), st.lists(damages, max_size=2))
def test_whatever_happened_to_a_jpeg_both_say_the_same(name: str, damages: list[Damage]) -> None:
    data = made(name)
    for damage in damages:
        data = damage(data)
    assert passes(inspect_image, data) == passes(describe_image, data)


def test_a_small_jpeg_is_decoded() -> None:
    assert inspect_image(saved(noise(64, 64), ".jpg")).placeholder is not None


@pytest.mark.parametrize("name", JPEGS)
def test_what_is_seen_later_is_what_is_seen_at_once(name: str) -> None:
    assert inspect_image(made(name)).placeholder in (None, describe_image(made(name)).placeholder)


@pytest.mark.parametrize("name", PLAIN)
def test_a_whole_jpeg_need_not_be_decoded(name: str) -> None:
    picture = inspect_image(made(name))
    assert (picture.width, picture.placeholder, picture.reduction) == (SIDE, None, None)


def test_nobody_goes_through_a_million_comments() -> None:
    usual = made("usual")
    assert inspect_image(usual[:2] + b"\xff\xfe\x00\x02" * 100 + usual[2:]).placeholder is None
    assert inspect_image(usual[:2] + b"\xff\xfe\x00\x02" * 100_000 + usual[2:]).placeholder is not None


@pytest.mark.parametrize("name", OTHERS)
def test_all_else_is_decoded(name: str) -> None:
    assert inspect_image(made(name)).placeholder is not None


def test_the_place_is_taken_out_all_the_same() -> None:
    picture = inspect_image(made("placed"), strip_location=True)
    assert (picture.placeholder, picture.location) == (None, None)
    assert picture.patches != ()
