"""HEIC as phones write it: one picture in HEVC, in the boxes of ISO 23008-12."""

import struct
import subprocess
from pathlib import Path

from stowboard.media.videos.ffmpeg.program import get_ffmpeg


def heic(pixels: bytes, width: int, height: int, folder: Path, exif: bytes | None = None) -> bytes:
    """A HEIC image of pixels in RGB. Width and height are even."""
    film = folder / "frame.mp4"
    subprocess.run(
        [
            get_ffmpeg(None), "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
            f"{width}x{height}", "-i", "-", "-frames:v", "1", "-vf",
            "scale=out_color_matrix=bt601:out_range=full,format=yuvj444p", "-c:v", "libx265",
            "-x265-params", "log-level=none:keyint=1:info=0:crf=12", "-tag:v", "hvc1", str(film),
        ],
        input=pixels, check=True,
    )  # fmt: skip
    written = film.read_bytes()
    return _file(_found(written, b"hvcC"), _found(written, b"mdat")[8:], width, height, exif)


def _found(film: bytes, kind: bytes) -> bytes:
    """The box with its header."""
    at = film.index(kind) - 4
    return film[at : at + int.from_bytes(film[at : at + 4], "big")]


def _box(kind: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack(">I4s", len(body) + 8, kind) + body


def _full(kind: bytes, version: int, *parts: bytes, flags: int = 0) -> bytes:
    return _box(kind, struct.pack(">I", version << 24 | flags), *parts)


def _file(config: bytes, picture: bytes, width: int, height: int, exif: bytes | None) -> bytes:
    items = [(1, b"hvc1", picture)]
    if exif is not None:
        items.append((2, b"Exif", struct.pack(">I", 0) + exif))
    kind = _box(b"ftyp", b"heic", struct.pack(">I", 0), b"mif1heic")
    length = len(kind) + len(_meta(config, items, width, height, 0))
    return kind + _meta(config, items, width, height, length + 8) + _box(b"mdat", *(data for _, _, data in items))


def _meta(config: bytes, items: list[tuple[int, bytes, bytes]], width: int, height: int, at: int) -> bytes:
    places = b""
    for number, _, data in items:
        places += struct.pack(">HHHII", number, 0, 1, at, len(data))
        at += len(data)
    entries = [_full(b"infe", 2, struct.pack(">HH4sx", number, 0, kind)) for number, kind, _ in items]
    properties = _box(b"ipco", config, _full(b"ispe", 0, struct.pack(">II", width, height)))
    described = _full(b"ipma", 0, struct.pack(">IHBBB", 1, 1, 2, 0x81, 0x02))
    refers = [_full(b"iref", 0, _box(b"cdsc", struct.pack(">HHH", 2, 1, 1)))] if len(items) > 1 else []
    return _full(
        b"meta", 0,
        _full(b"hdlr", 0, struct.pack(">I4s12xx", 0, b"pict")),
        _full(b"pitm", 0, struct.pack(">H", 1)),
        _full(b"iloc", 0, struct.pack(">BBH", 0x44, 0, len(items)), places),
        _full(b"iinf", 0, struct.pack(">H", len(entries)), *entries),
        *refers,
        _box(b"iprp", properties, described),
    )  # fmt: skip
