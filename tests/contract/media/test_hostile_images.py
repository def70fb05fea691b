"""An image that is too large, damaged, dangerous or none at all is refused, and leaves no trace in what is made."""

import io
import struct
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.inspection import inspect_image
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.images.works import ImageWorks
from support.media import pictures
from support.media.derived_images import derived
from support.media.pictures import SUFFIXES, corners, noise, plain, saved


def png_header(width: int, height: int, rows: bytes = b"") -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 1)  # interlaced: it would be decoded all at once
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("width", "height"), [(60_000, 60_000), (16_385, 10), (10, 16_385), (7_079, 7_079), (9_000_000, 1)]
)
def test_an_image_that_is_too_large_is_refused_by_its_header(width: int, height: int) -> None:
    with pytest.raises(InvalidMedia, match=r"50 megapixels and 16,384 pixels a side") as refused:
        inspect_image(png_header(width, height))
    assert f"{width:,} x {height:,}" in refused.value.message
    with pytest.raises(InvalidMedia, match="50 megapixels"):
        derived(png_header(width, height), "thumbnail")


def test_the_limits_hold_for_other_formats_too() -> None:
    jpeg = bytearray(saved(plain(8, 8), ".jpg"))
    frame = jpeg.index(b"\xff\xc0") + 5
    jpeg[frame : frame + 4] = b"\xff\x00" * 2
    tiff = saved(plain(16_385, 2), ".tif", compression="deflate")
    for data in (bytes(jpeg), tiff):
        with pytest.raises(InvalidMedia, match="50 megapixels"):
            inspect_image(data)


def test_a_header_that_promises_more_pixels_than_follow_is_refused() -> None:
    with pytest.raises(InvalidMedia, match="whole and undamaged"):
        inspect_image(png_header(7_000, 7_000, bytes(3 * 7_000 + 1) * 10))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_image_that_ends_too_early_is_refused(suffix: str) -> None:
    data = saved(noise(257, 191), suffix)
    inspect_image(data)
    whole = len(data) - 12  # what ends a PNG has no pixels
    for size in {*range(0, 40, 3), *range(40, whole, len(data) // 60), whole - 1}:
        with pytest.raises(InvalidMedia):
            inspect_image(data[:size])


def test_a_jpeg_of_thousands_of_scans_is_refused() -> None:
    data = saved(noise(64, 64), ".jpg", interlace=True)
    scans = data.split(b"\xff\xda")
    with pytest.raises(InvalidMedia):
        inspect_image(b"\xff\xda".join([*scans[:2], *[scans[1]] * 5_000, *scans[2:]]))


REFUSED = {
    "nothing": b"",
    "text": b"hello",
    "SVG": b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
    "HTML": b"<!doctype html><img src=x>",
    "PDF": b"%PDF-1.4\n1 0 obj",
    "BMP": b"BM" + struct.pack("<IHHIIiiHHIIiiII", 58, 0, 0, 54, 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0) + bytes(4),
    "PPM": b"P6 1 1 255 abc",
    "CSV": b"1,2,3\n4,5,6\n",
    "libvips' own": struct.pack("<4sIIIIIIIIff6I", b"\xb6\xa6\xf2\x08", 1, 1, 1, 0, 0, 0, 1, 0, 1, 1, *[0] * 6)
    + bytes(99),
    "GIF of JavaScript": b"GIF89a=1;alert(1)//",
    "HEIC": b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(100),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_what_is_no_image_is_refused_with_what_would_be_taken(
    works: ImageWorks, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "blob"
    path.write_bytes(REFUSED[name])
    for source in (REFUSED[name], path):
        with pytest.raises(InvalidMedia, match=r"JPEG, PNG, GIF, .*HEIC, HEIF or TIFF.*POST /media/upload/file"):
            await works.inspect(source)


@pytest.mark.parametrize(
    ("suffix", "data"), [(".ppm", REFUSED["PPM"]), (".svg", REFUSED["SVG"]), (".mat", b"2 2\n1 2\n3 4\n")]
)
def test_the_library_itself_opens_nothing_that_is_not_on_the_list(tmp_path: Path, suffix: str, data: bytes) -> None:
    inspect_image(saved(plain(8, 8), ".jpg"))  # it is set up with its first use
    path = tmp_path / f"file{suffix}"
    path.write_bytes(data)
    with pytest.raises(pictures.vips.Error):
        pictures.vips.Image.new_from_file(str(path))


def test_what_hangs_on_the_end_of_an_image_is_not_in_what_is_made_of_it() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("evil.js", "alert(1)")
    data = saved(corners(64, 64), ".jpg") + archive.getvalue()
    assert inspect_image(data).mime_type == "image/jpeg"
    for image_format in ImageFormat:
        assert b"evil.js" not in derived(data, "tiny", image_format).data


def test_a_gif_that_is_a_script_too_is_an_image_with_nothing_of_the_script_left() -> None:
    """The comment of a real GIF, as a polyglot hides it."""
    gif = saved(plain(8, 8), ".gif")
    script = b"*/=1;alert(1)//"
    data = gif[:-1] + b"\x21\xfe" + bytes([len(script)]) + script + b"\x00" + gif[-1:]
    assert inspect_image(data).mime_type == "image/gif"
    for image_format in ImageFormat:
        assert b"alert" not in derived(data, "tiny", image_format).data


SEEDS = [saved(noise(24, 16), suffix) for suffix in SUFFIXES] + [b"", b"\x00" * 64]


@settings(max_examples=200)
@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.integers(0, 2_000), st.binary(max_size=8)), max_size=6))
def test_any_bytes_are_an_image_or_refused(seed: bytes, changes: list[tuple[int, bytes]]) -> None:
    data = seed
    for at, new in changes:
        data = data[:at] + new + data[at + len(new) :]
    try:
        picture = inspect_image(data)
    except InvalidMedia:
        return
    made = derived(data, "tiny", ImageFormat.WEBP)
    assert picture.width is not None
    assert made.width <= min(10, picture.width)


@given(st.binary(max_size=300))
def test_random_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(InvalidMedia):
        inspect_image(data)
