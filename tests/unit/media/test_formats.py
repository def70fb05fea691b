"""Which format a client is sent."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.media.base.asset import Asset, AssetId, AssetKind, AssetStatus, Placeholder
from stowboard.media.images.thumbhash import thumbhash
from stowboard.media.images.transforms.formats import ImageFormat, choose_format, format_for

CHROME = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"
FIREFOX = "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"
SAFARI_14 = "image/webp,image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5"
OLD_BROWSER = "image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"
TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/tiff"]


@pytest.mark.parametrize("mime_type", TYPES)
def test_browsers_get_the_smallest_format_that_they_name(mime_type: str) -> None:
    assert choose_format(CHROME, mime_type) is ImageFormat.AVIF
    assert choose_format(FIREFOX, mime_type) is ImageFormat.AVIF


def test_one_that_names_only_webp_gets_webp() -> None:
    assert {choose_format(SAFARI_14, each) for each in TYPES if each != "image/avif"} == {ImageFormat.WEBP}


@pytest.mark.parametrize("accept", [None, "*/*", "image/*", "image/*, */*;q=0.1", "text/html,*/*;q=0.8"])
@pytest.mark.parametrize(
    ("mime_type", "transparent", "expected"),
    [
        ("image/jpeg", False, ImageFormat.JPEG),
        ("image/png", False, ImageFormat.PNG),
        ("image/webp", True, ImageFormat.WEBP),
        ("image/avif", False, ImageFormat.AVIF),
        ("image/gif", True, ImageFormat.PNG),
        ("image/gif", False, ImageFormat.JPEG),
        ("image/tiff", False, ImageFormat.JPEG),
    ],
)
def test_who_names_none_gets_the_originals_format_if_it_is_for_the_web(
    accept: str | None, mime_type: str, transparent: bool, expected: ImageFormat
) -> None:
    assert choose_format(accept, mime_type, transparent=transparent) is expected


@pytest.mark.parametrize(
    ("accept", "mime_type", "expected"),
    [
        ("image/avif;q=0, image/webp", "image/jpeg", ImageFormat.WEBP),
        ("image/avif;q=0,image/webp;q=0.000,*/*", "image/jpeg", ImageFormat.JPEG),
        ("image/avif;q=0.5, image/webp;q=0.9", "image/jpeg", ImageFormat.WEBP),
        ("image/jpeg, image/avif;q=0.5", "image/jpeg", ImageFormat.JPEG),
        ("image/avif;q=0.5, image/*;q=0.4", "image/jpeg", ImageFormat.AVIF),
        ("IMAGE/AVIF", "image/jpeg", ImageFormat.AVIF),
        (" image/webp ; q=1.0 , text/html", "image/jpeg", ImageFormat.WEBP),
        ("image/webp;level=1;q=0.3, image/jpeg;q=0.2", "image/jpeg", ImageFormat.WEBP),
        # An original that this client does not take.
        ("image/png, image/jpeg", "image/webp", ImageFormat.PNG),
        ("image/jpeg", "image/webp", ImageFormat.JPEG),
        ("image/jpeg", "image/png", ImageFormat.JPEG),
        ("image/avif;q=0, */*", "image/avif", ImageFormat.PNG),
        # Nothing that we have: better one that it did not ask for than none.
        ("text/html", "image/jpeg", ImageFormat.JPEG),
        ("", "image/png", ImageFormat.PNG),
        ("image/avif;q=2", "image/jpeg", ImageFormat.JPEG),
        ("image/avif;q=", "image/jpeg", ImageFormat.JPEG),
        ("image/avif;q=-1", "image/jpeg", ImageFormat.JPEG),
        # A photo does not become a PNG because an old browser likes those best.
        (OLD_BROWSER, "image/jpeg", ImageFormat.JPEG),
    ],
)
def test_weights_and_names_are_respected(accept: str, mime_type: str, expected: ImageFormat) -> None:
    assert choose_format(accept, mime_type) is expected


@pytest.mark.parametrize(
    ("accept", "mime_type", "expected"),
    [
        (CHROME, "image/gif", ImageFormat.WEBP),
        (CHROME, "image/webp", ImageFormat.WEBP),
        (SAFARI_14, "image/gif", ImageFormat.WEBP),
        (OLD_BROWSER, "image/gif", ImageFormat.GIF),
        (None, "image/gif", ImageFormat.GIF),
        (None, "image/webp", ImageFormat.WEBP),
        ("image/gif", "image/gif", ImageFormat.GIF),
        ("image/gif", "image/webp", ImageFormat.GIF),
        # A client that takes neither gets its first picture.
        ("image/png", "image/webp", ImageFormat.PNG),
        ("image/jpeg", "image/gif", ImageFormat.JPEG),
        ("image/avif", "image/webp", ImageFormat.AVIF),
    ],
)
def test_an_animation_is_sent_as_one_to_who_takes_one(
    accept: str | None, mime_type: str, expected: ImageFormat
) -> None:
    assert choose_format(accept, mime_type, animated=True) is expected


@pytest.mark.parametrize(
    ("frames", "side", "moves"),
    [(None, 100, False), (1, 100, False), (2, 100, True), (300, 100, True), (301, 100, False), (51, 1000, False)],
)
def test_an_animation_of_too_many_frames_or_pixels_is_a_still(frames: int | None, side: int, moves: bool) -> None:
    asset = Asset(
        id=AssetId("ast_1"), kind=AssetKind.IMAGE, filename="a.gif", status=AssetStatus.READY, mime_type="image/gif",
        size=1, space="spc_library", created_by="ann", sent_by="ann", updated_at=1,
        width=side, height=side, frames=frames,
    )  # fmt: skip
    assert format_for(CHROME, asset) is (ImageFormat.WEBP if moves else ImageFormat.AVIF)


@pytest.mark.parametrize(("alpha", "expected"), [(255, ImageFormat.JPEG), (254, ImageFormat.PNG), (0, ImageFormat.PNG)])
def test_whether_an_asset_is_transparent_is_known_from_its_placeholder(alpha: int, expected: ImageFormat) -> None:
    digest = base64.b64encode(thumbhash(2, 1, bytes((9, 9, 9, 255, 9, 9, 9, alpha)))).decode()
    asset = Asset(
        id=AssetId("ast_1"), kind=AssetKind.IMAGE, filename="a.gif", status=AssetStatus.READY, mime_type="image/gif",
        size=1, placeholder=Placeholder(digest, "#090909"), space="spc_library", created_by="ann",
        sent_by="ann", updated_at=1,
    )  # fmt: skip
    assert format_for("*/*", asset) is expected
    assert format_for(CHROME, asset) is ImageFormat.AVIF


@given(st.text(alphabet="image/vfwbpjg*;q=0.1, \x00é") | st.text(), st.sampled_from([*TYPES, "text/plain"]))
def test_any_header_has_an_answer(accept: str, mime_type: str) -> None:
    assert choose_format(accept, mime_type) in ImageFormat
