"""ThumbHash: the same bytes as the published reference, and what a client sees when it decodes them."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.media.images.thumbhash import is_transparent, thumbhash

#: What the reference implementation gave for `pattern` of this width, height and opacity.
REFERENCE = [
    (32, 32, True, "9e180a4f0a325798356989808778789877744975f6406906"),
    (32, 32, False, "9e18862506073157347a7089aa54670f848667976819769505"),
    (32, 24, True, "1f180a3d8c5066984068799487977785517f0b8867"),
    (32, 24, False, "1f188624860851674089a5a918f5c780796609666796a56005"),
    (24, 32, True, "5d080a550e508551870987787879489864760f5b8a"),
    (24, 32, False, "9d08862c06075016861898a84b67f8b0a568a5570a6336d301"),
    (100, 1, True, "d7192e8184777787888808886988808408"),
    (1, 100, False, "dee7bd1108770887787878c870836c0808f78788877878"),
    (1, 1, True, "000802070000000000000000000000000000000000000000"),
    (1, 1, False, "00088205000000000000000000000000000000000000000000"),
    (100, 67, True, "e007060d827787475568076665447678a8afa08e80"),
    (100, 67, False, "e007820b80087495013833a8af90bd7046458574347058"),
]


def pattern(width: int, height: int, opaque: bool) -> bytes:
    return bytes(
        value % 256
        for y in range(height)
        for x in range(width)
        for value in (x * 7 + y * 3, x * x + 5 * y, 11 * y + x, 255 if opaque else x * 13 + y * 17)
    )


@pytest.mark.parametrize(("width", "height", "opaque", "expected"), REFERENCE)
def test_the_bytes_are_those_of_the_reference(width: int, height: int, opaque: bool, expected: str) -> None:
    digest = thumbhash(width, height, pattern(width, height, opaque))
    assert digest.hex() == expected
    assert is_transparent(digest) is not opaque


@given(st.tuples(*[st.integers(0, 255)] * 3), st.integers(1, 40), st.integers(1, 40))
def test_one_color_is_decoded_as_that_color(color: tuple[int, int, int], width: int, height: int) -> None:
    digest = thumbhash(width, height, bytes((*color, 255)) * (width * height))
    for decoded, given_value in zip(mean_color(digest), color, strict=True):
        assert abs(decoded - given_value) <= 20, "six bits each, of sums and differences"


@pytest.mark.parametrize(("width", "height"), [(64, 64), (64, 48), (48, 64), (60, 40), (70, 30), (30, 70), (100, 15)])
def test_the_shape_is_decoded_about_as_it_was(width: int, height: int) -> None:
    ratio = aspect_ratio(thumbhash(width, height, pattern(width, height, True)))
    assert math.isclose(ratio, width / height, rel_tol=0.15)


def test_what_is_transparent_does_not_tint_the_rest() -> None:
    """Half is red, half is invisible, of whatever color."""
    digest = thumbhash(8, 8, bytes((200, 10, 10, 255)) * 32 + bytes((0, 255, 0, 0)) * 32)
    assert is_transparent(digest)
    assert all(abs(a - b) < 20 for a, b in zip(mean_color(digest), (200, 10, 10), strict=True))
    assert digest[5] & 15 in (7, 8), "half opaque"


@given(st.integers(1, 30), st.integers(1, 30), st.randoms(use_true_random=False))
def test_it_is_always_short(width: int, height: int, chance: random.Random) -> None:
    assert 5 < len(thumbhash(width, height, chance.randbytes(4 * width * height))) <= 27


@pytest.mark.parametrize(("width", "height", "size"), [(101, 1, 404), (0, 0, 0), (2, 2, 15)])
def test_pixels_that_do_not_fit_the_size_are_a_mistake(width: int, height: int, size: int) -> None:
    with pytest.raises(ValueError, match="ThumbHash"):
        thumbhash(width, height, bytes(size))


def mean_color(digest: bytes) -> tuple[float, float, float]:
    """As the reference's decoder reads it."""
    header = int.from_bytes(digest[:3], "little")
    light, yellow, red = (header & 63) / 63, (header >> 6 & 63) / 31.5 - 1, (header >> 12 & 63) / 31.5 - 1
    b = light - 2 / 3 * yellow
    r = (3 * light - b + red) / 2
    return r * 255, (r - red) * 255, b * 255


def aspect_ratio(digest: bytes) -> float:
    most = 5 if digest[2] & 0x80 else 7
    other = digest[3] & 7
    return most / other if digest[4] & 0x80 else other / most
