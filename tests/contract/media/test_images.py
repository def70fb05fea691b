"""Images of every kind: what is said of them, and what is made of them."""

import asyncio
from pathlib import Path

import pytest

from stowboard.core.errors import ServiceUnavailable
from stowboard.media.base.sniff import SNIFF_BYTES, sniff
from stowboard.media.images.inspection import describe_image, inspect_image
from stowboard.media.images.transforms.formats import MOVING, ImageFormat
from stowboard.media.images.works import MOST_WAITING, ImageWorks
from support.media import pictures
from support.media.decoders import held_decoders, let_go
from support.media.derived_images import derived
from support.media.pictures import (
    BLUE,
    GREEN,
    PLACE,
    RED,
    SUFFIXES,
    WHITE,
    corners,
    is_near,
    noise,
    pixel,
    plain,
    saved,
)


@pytest.mark.parametrize("suffix", SUFFIXES)
async def test_an_image_is_described(works: ImageWorks, tmp_path: Path, suffix: str) -> None:
    data = saved(corners(300, 200), suffix)
    path = tmp_path / "blob"
    path.write_bytes(data)
    picture = await works.inspect(data)
    assert (picture.mime_type, picture.width, picture.height) == (sniff(data[:SNIFF_BYTES]), 300, 200)
    assert await works.inspect(path) == picture


def dominant_color(data: bytes) -> str:
    placeholder = inspect_image(data).placeholder
    assert placeholder is not None
    return placeholder.dominant_color


@pytest.mark.parametrize("color", [RED, GREEN, BLUE, WHITE])
def test_the_dominant_color_is_the_one_that_is_seen_most(color: tuple[int, int, int]) -> None:
    canvas = plain(100, 100, (90, 90, 90)).insert(plain(100, 70, color), 0, 30)
    found = dominant_color(saved(canvas, ".png"))
    assert is_near([int(found[at : at + 2], 16) for at in (1, 3, 5)], color, 4)


def test_what_is_invisible_has_no_color() -> None:
    data = saved(plain(20, 20, (*RED, 0)), ".png")
    assert dominant_color(data) == "#ffffff"


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_turned_photo_is_upright_in_its_size_and_in_all_that_is_made_of_it(orientation: int) -> None:
    data = pictures.turned(corners(300, 200), orientation)
    picture = inspect_image(data)
    assert (picture.width, picture.height) == (300, 200)
    made = derived(data, "half")
    assert (made.width, made.height) == (100, 67)
    seen = [pixel(made.data, x, y) for y in (0.2, 0.8) for x in (0.2, 0.8)]
    assert all(map(is_near, seen, (RED, GREEN, BLUE, WHITE))), seen
    assert pictures.opened(made.data).get_typeof("orientation") == 0


@pytest.mark.parametrize("orientation", [1, 6])
@pytest.mark.parametrize("width", [900, 1700, 2400, 3300])
def test_a_large_photo_is_made_small_at_every_scale_of_its_decoder(width: int, orientation: int) -> None:
    data = pictures.turned(corners(width, width * 2 // 3), orientation)
    made = derived(data, "thumbnail", ImageFormat.PNG)
    assert (made.width, made.height) == (200, 200)
    # Also close to the middle, where a picture that was cut or moved by a few pixels would show another colour.
    for near in (0.1, 0.47):
        seen = [pixel(made.data, x, y) for y in (near, 1 - near) for x in (near, 1 - near)]
        assert all(map(is_near, seen, (RED, GREEN, BLUE, WHITE))), seen


@pytest.mark.parametrize("image_format", ImageFormat)
@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".tif"])
def test_no_metadata_is_left_in_what_is_made(suffix: str, image_format: ImageFormat) -> None:
    data = pictures.with_secrets(corners(300, 200), suffix)
    assert PLACE.encode() in data, "else this test would show nothing"
    made = derived(data, "thumbnail", image_format).data
    assert not any(mark in made for mark in (b"SECRETPLACE", b"Exif\0", b"http://ns.adobe", b"xmpmeta", b"GPS"))
    fields = pictures.opened(made).get_fields()
    assert not [field for field in fields if field.startswith(("exif", "xmp", "iptc", "icc"))]


@pytest.mark.parametrize("image_format", ImageFormat)
def test_each_format_is_what_it_says(image_format: ImageFormat) -> None:
    made = derived(saved(corners(300, 200), ".jpg"), "thumbnail", image_format)
    assert sniff(made.data[:SNIFF_BYTES]) == image_format.mime_type
    again = inspect_image(made.data)
    assert (again.width, again.height) == (made.width, made.height) == (200, 200)


def in_p3(image: pictures.Image) -> pictures.Image:
    return image.icc_transform("p3", input_profile="srgb")


def in_cmyk(image: pictures.Image) -> pictures.Image:
    return image.icc_transform("cmyk", input_profile="srgb")


RED_SOURCES = {
    "jpeg": saved(plain(80, 60), ".jpg", Q=95),
    "progressive": saved(plain(80, 60), ".jpg", Q=95, interlace=True),
    "palette": saved(plain(80, 60), ".png", palette=True),
    "interlaced": saved(plain(80, 60), ".png", interlace=True),
    "sixteen bits": saved(plain(80, 60).colourspace("rgb16"), ".png"),
    "sixteen bits with alpha": saved(plain(80, 60).colourspace("rgb16").bandjoin(65535), ".png"),
    "avif": saved(plain(80, 60), ".avif", Q=90),
    "ten bits": saved(plain(80, 60).colourspace("rgb16"), ".avif", bitdepth=10),
    "wide gamut": saved(in_p3(plain(80, 60)), ".jpg", Q=95),
    "wide gamut in sixteen bits": saved(in_p3(plain(80, 60).colourspace("rgb16")), ".png"),
    "wide gamut avif": saved(in_p3(plain(80, 60)), ".avif", Q=90),
    "wide gamut in ten bits": saved(in_p3(plain(80, 60).colourspace("rgb16")), ".avif", bitdepth=10),
    "its own profile": saved(plain(80, 60).icc_transform("srgb", input_profile="srgb"), ".jpg", Q=95),
    "cmyk": saved(in_cmyk(plain(80, 60)), ".jpg", Q=95),
    "cmyk without a profile": saved(in_cmyk(plain(80, 60)), ".jpg", Q=95, keep="none"),
    "cmyk tiff": saved(in_cmyk(plain(80, 60)), ".tif"),
    "lab tiff": saved(plain(80, 60).colourspace("lab"), ".tif"),
    "float tiff": saved(plain(80, 60).colourspace("scrgb"), ".tif"),
    "opaque alpha": saved(plain(80, 60, (*RED, 255)), ".webp", lossless=True),
}


@pytest.mark.parametrize("image_format", ImageFormat)
@pytest.mark.parametrize("name", RED_SOURCES)
def test_colors_are_those_of_the_original(name: str, image_format: ImageFormat) -> None:
    made = derived(RED_SOURCES[name], "tiny", image_format).data
    assert is_near(pixel(made, 0.5, 0.5), RED, 24), pixel(made, 0.5, 0.5)
    assert pictures.opened(made).format == "uchar"


def test_the_placeholder_of_a_wide_gamut_image_has_its_colors_too() -> None:
    colors = [describe_image(RED_SOURCES[name]).placeholder.dominant_color for name in ("jpeg", "wide gamut", "cmyk")]
    for found in colors:
        assert is_near([int(found[at : at + 2], 16) for at in (1, 3, 5)], RED, 24), colors


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".tif"])
@pytest.mark.parametrize("space", ["b-w", "grey16"])
def test_grey_stays_grey(suffix: str, space: str) -> None:
    grey = plain(80, 60, (120, 120, 120)).colourspace(space if suffix != ".jpg" else "b-w")
    data = saved(grey, suffix)
    assert dominant_color(data) in ("#777777", "#787878", "#797979")
    for image_format in ImageFormat:
        assert is_near(pixel(derived(data, "tiny", image_format).data, 0.5, 0.5), (120, 120, 120), 4)


def test_transparency_is_kept_where_the_format_has_it_and_is_white_in_a_jpeg() -> None:
    data = saved(plain(80, 60, (*RED, 0)).insert(plain(40, 60, (*RED, 255)), 0, 0), ".png")
    for image_format in (ImageFormat.PNG, ImageFormat.WEBP, ImageFormat.AVIF):
        made = derived(data, "tiny", image_format).data
        assert pixel(made, 0.1, 0.5)[3] > 250
        assert pixel(made, 0.9, 0.5)[3] < 5
    made = derived(data, "tiny", ImageFormat.JPEG).data
    assert is_near(pixel(made, 0.1, 0.5), RED)
    assert is_near(pixel(made, 0.99, 0.5), (255, 255, 255), 12)


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_of_an_animation_the_first_frame_is_used_where_the_format_has_one(suffix: str) -> None:
    data = pictures.animated(suffix, [RED, GREEN, BLUE] * 5)
    picture = inspect_image(data)
    assert (picture.width, picture.height, picture.frames) == (64, 48, 15)
    made = derived(data, "thumbnail", animated=True)
    assert (made.width, made.height) == (48, 48)
    assert is_near(pixel(made.data, 0.5, 0.5), RED)


@pytest.mark.parametrize("image_format", MOVING)
@pytest.mark.parametrize("suffix", [".gif", ".webp"])
@pytest.mark.parametrize(("name", "size"), [("thumbnail", (48, 48)), ("tiny", (10, 10)), ("half", (64, 48))])
def test_an_animation_keeps_its_frames_and_their_times(
    suffix: str, image_format: ImageFormat, name: str, size: tuple[int, int]
) -> None:
    """Each frame is cropped by itself: at the edges of one, nothing of its neighbours is seen."""
    colors, times = [RED, GREEN, BLUE], [120, 250, 400]
    made = derived(pictures.animated(suffix, colors, times=times), name, image_format, animated=True)
    assert (made.width, made.height) == size
    frames, shown_for = pictures.frames(made.data)
    assert shown_for == times
    for frame, color in zip(frames, colors, strict=True):
        assert (frame.width, frame.height) == size
        for y in (0, size[1] // 2, size[1] - 1):
            assert is_near(frame(size[0] // 2, y), color, 24)


def test_who_did_not_ask_for_an_animation_gets_a_still_of_it() -> None:
    made = derived(pictures.animated(".gif", [RED, GREEN]), "tiny", ImageFormat.WEBP)
    assert len(pictures.frames(made.data)[0]) == 1


@pytest.mark.parametrize("suffix", pictures.SUFFIXES)
def test_what_does_not_move_has_no_frames(suffix: str) -> None:
    assert inspect_image(saved(corners(80, 60), suffix)).frames is None


@pytest.mark.parametrize(
    ("width", "height"), [(1, 1), (2, 1), (1, 5000), (5000, 1), (3, 2), (199, 201), (2, 16_384), (16_384, 2)]
)
@pytest.mark.parametrize("name", ["thumbnail", "small", "og", "half"])
def test_tiny_and_extreme_shapes_work(name: str, width: int, height: int) -> None:
    data = saved(plain(width, height), ".png")
    assert (inspect_image(data).width, inspect_image(data).height) == (width, height)
    for image_format in ImageFormat:
        made = derived(data, name, image_format)
        assert 1 <= made.width <= width
        assert 1 <= made.height <= height


@pytest.mark.parametrize(
    ("focus", "color"), [((0, 0), RED), ((1, 0), GREEN), ((0, 1), BLUE), ((1, 1), WHITE), ((0.02, 0.98), BLUE)]
)
@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp"])
def test_what_the_focal_point_shows_stays_in_a_crop(
    suffix: str, focus: tuple[float, float], color: tuple[int, int, int]
) -> None:
    """The corners are marked in a wide and in a high picture; a square of the middle would have none of them."""
    for width, height in ((1200, 300), (300, 1200)):
        image = plain(width, height, (90, 90, 90))
        for right, down, corner in ((0, 0, RED), (1, 0, GREEN), (0, 1, BLUE), (1, 1, WHITE)):
            image = image.insert(plain(100, 100, corner), right * (width - 100), down * (height - 100))
        data = saved(image, suffix)
        made = derived(data, "thumbnail", focus=focus)
        x, y = (0.03 + 0.94 * part for part in focus)
        assert (made.width, made.height) == (200, 200)
        assert is_near(pixel(made.data, x, y), color)
        assert is_near(pixel(derived(data, "thumbnail").data, 0.5, 0.5), (90, 90, 90))


def test_a_picture_that_is_smaller_than_its_class_keeps_its_pixels() -> None:
    source = noise(60, 40)
    made = derived(saved(source, ".png"), "large")
    assert (made.width, made.height) == (60, 40)
    assert (pictures.opened(made.data) - source).abs().max() == 0


async def test_more_work_than_may_wait_is_refused_at_once_and_taken_later(works: ImageWorks) -> None:
    """Both decoders are held; as much waits as may, and one more is told to come again."""
    await asyncio.gather(*(works.inspect(RED_SOURCES["jpeg"]) for _ in range(2)))
    held = held_decoders(works)
    try:
        waiting = [asyncio.create_task(works.inspect(RED_SOURCES["jpeg"])) for _ in range(2 + MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(ServiceUnavailable) as refused:
            await works.inspect(RED_SOURCES["jpeg"])
        assert ("retry-after", "1") in refused.value.headers
        waiting.pop().cancel()
        await asyncio.sleep(0)
        waiting.append(asyncio.create_task(works.inspect(RED_SOURCES["jpeg"])))
        await asyncio.sleep(0)
    finally:
        let_go(held)
    assert {picture.width for picture in await asyncio.gather(*waiting)} == {80}
