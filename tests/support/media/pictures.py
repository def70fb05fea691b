"""Images made for tests, each of one property that matters, and what can be seen in those that come back."""

from typing import Any, TypeAlias

import pyvips

Image: TypeAlias = Any
vips: Any = pyvips

RED, GREEN, BLUE, WHITE = (220, 20, 30), (20, 180, 40), (30, 40, 210), (250, 250, 250)
#: What nobody may learn from a derived image.
PLACE = "48 deg 51 min SECRETPLACE"
SUFFIXES = [".jpg", ".png", ".gif", ".webp", ".avif", ".tif"]


def plain(width: int, height: int, color: tuple[int, ...] = RED) -> Image:
    image = (vips.Image.black(width, height) + list(color)).cast("uchar")
    return image.copy(interpretation="srgb").copy_memory()


def corners(width: int, height: int) -> Image:
    """Red above left, green above right, blue below left, white below right."""
    half_width, half_height = width // 2, height // 2
    above = plain(half_width, half_height, RED).join(plain(width - half_width, half_height, GREEN), "horizontal")
    rest = height - half_height
    below = plain(half_width, rest, BLUE).join(plain(width - half_width, rest, WHITE), "horizontal")
    return above.join(below, "vertical").copy(interpretation="srgb").copy_memory()


def noise(width: int, height: int) -> Image:
    """Pixels that no format can make small."""
    bands = [vips.Image.gaussnoise(width, height, mean=128, sigma=60, seed=seed) for seed in (1, 2, 3)]
    return bands[0].bandjoin(bands[1:]).cast("uchar").copy(interpretation="srgb").copy_memory()


def saved(image: Image, suffix: str, **options: object) -> bytes:
    data = image.write_to_buffer(suffix, **options)
    assert isinstance(data, bytes)
    return data


def turned(upright: Image, orientation: int) -> bytes:
    """A JPEG that has to be turned as its EXIF says to be upright again."""
    stored = {
        1: lambda: upright,
        2: upright.fliphor,
        3: upright.rot180,
        4: upright.flipver,
        5: lambda: upright.rot90().fliphor(),
        6: upright.rot270,
        7: lambda: upright.rot90().flipver(),
        8: upright.rot90,
    }[orientation]().copy()
    stored.set_type(vips.GValue.gint_type, "orientation", orientation)
    return saved(stored, ".jpg", Q=95)


def with_secrets(image: Image, suffix: str) -> bytes:
    """With a place in its EXIF, its XMP and where the format has it, its IPTC."""
    secret = image.copy()
    text = f"{PLACE} ({PLACE}, ASCII, {len(PLACE)} components, {len(PLACE)} bytes)"
    secret.set_type(vips.GValue.gstr_type, "exif-ifd0-ImageDescription", text)
    latitude = "48/1 51/1 30/1 (48, 51, 30, Rational, 3 components, 24 bytes)"
    secret.set_type(vips.GValue.gstr_type, "exif-ifd3-GPSLatitude", latitude)
    xmp = f"<x:xmpmeta xmlns:x='adobe:ns:meta/'>{PLACE}</x:xmpmeta>".encode()
    secret.set_type(vips.GValue.blob_type, "xmp-data", xmp)
    secret.set_type(vips.GValue.blob_type, "iptc-data", b"\x1c\x02\x78\x00" + bytes([len(PLACE)]) + PLACE.encode())
    return saved(secret, suffix)


def animated(
    suffix: str,
    colors: list[tuple[int, int, int]],
    width: int = 64,
    height: int = 48,
    times: list[int] | None = None,
    **options: object,
) -> bytes:
    """A frame of each color; `times` are how long each is shown, in milliseconds."""
    frames = [plain(width, height, color) for color in colors]
    film = vips.Image.arrayjoin(frames, across=1).copy(interpretation="srgb")
    film.set_type(vips.GValue.gint_type, "page-height", height)
    film.set_type(vips.GValue.array_int_type, "delay", times or [100] * len(colors))
    return saved(film, suffix, **options)


def frames(data: bytes) -> tuple[list[Image], list[int]]:
    """The pictures of an animation, and how long each is shown."""
    film = vips.Image.new_from_buffer(data, "", n=-1) if _moves(data) else opened(data)
    count = film.get("n-pages") if film.get_typeof("n-pages") else 1
    parts = [film.crop(0, number * film.height // count, film.width, film.height // count) for number in range(count)]
    return [part.colourspace("srgb") for part in parts], film.get("delay") if film.get_typeof("delay") else []


def _moves(data: bytes) -> bool:
    return data.startswith((b"GIF", b"RIFF"))


def opened(data: bytes) -> Image:
    return vips.Image.new_from_buffer(data, "").copy_memory()


def pixel(data: bytes, x: float, y: float) -> list[float]:
    """At parts of width and height, in sRGB."""
    image = opened(data).colourspace("srgb")
    found = image(min(image.width - 1, int(x * image.width)), min(image.height - 1, int(y * image.height)))
    return [float(value) for value in found]


def is_near(found: list[float], color: tuple[int, ...], tolerance: float = 30) -> bool:
    return all(abs(one - other) <= tolerance for one, other in zip(found, color, strict=False))
