"""Files that would harm a careless reader of videos: they name other files and addresses, or claim what is not so."""

import struct
from collections.abc import Callable
from pathlib import Path

from support.media.clips import AAC, SILENT, make_clip

_MATROSKA_DURATION = b"\x44\x89\x88"


def hls_playlist(target: str) -> bytes:
    return f"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10.0,\n{target}\n#EXT-X-ENDLIST\n".encode()


def concat_script(target: str) -> bytes:
    return f"ffconcat version 1.0\nfile '{target}'\n".encode()


def dash_manifest(target: str) -> bytes:
    return f"""<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet>
    <Representation id="1" mimeType="video/mp4" bandwidth="1"><BaseURL>{target}</BaseURL></Representation>
    </AdaptationSet></Period></MPD>""".encode()


def session_description(target: str) -> bytes:
    return f"v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\na={target}\n".encode()


def avi_with_playlist(folder: Path, target: str) -> bytes:
    """A stream of texts in an AVI whose one text is a playlist; ffmpeg once followed it."""
    avi = make_clip(folder / "plain.avi", *SILENT, codecs=("-c:v", "mpeg4")).read_bytes()
    name, text = "x".encode("utf-16-le") + b"\0\0", hls_playlist(target)
    packet = b"GAB2\0" + struct.pack("<HI", 2, len(name)) + name + struct.pack("<HI", 4, len(text)) + text
    header = struct.pack("<4s4sIHHIIIIIIIIhhhh", b"txts", b"\0\0\0\0", 0, 0, 0, 0, 1, 25, 0, 1, 0, 0, 0, 0, 0, 0, 0)
    stream = _list(b"strl", _chunk(b"strh", header) + _chunk(b"strf", b""))
    start = avi.index(b"LIST")
    size = struct.unpack_from("<I", avi, start + 4)[0]
    headers = avi[start + 12 : start + 8 + size]
    movi = avi.index(b"movi")
    movi_size = struct.unpack_from("<I", avi, movi - 4)[0]
    pictures = avi[movi + 4 : movi + movi_size]
    body = _list(b"hdrl", _two_streams(headers) + stream) + _list(b"movi", _chunk(b"01tx", packet) + pictures)
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"AVI " + body


def mp4_with_reference(folder: Path, target: str) -> bytes:
    """An MP4 whose samples are said to lie at another address (a data reference)."""
    mp4 = make_clip(folder / "plain.mp4", *AAC).read_bytes()
    url = b"\0\0\0\0" + target.encode() + b"\0"
    references = b"\0\0\0\0" + struct.pack(">I", 1) + _box(b"url ", url)
    return _edited(mp4, [b"moov", b"trak", b"mdia", b"minf", b"dinf", b"dref"], lambda _: references)


def long_claim(folder: Path, hours: int) -> bytes:
    """One second, whose header says hours."""
    mkv = make_clip(folder / "plain.mkv", *AAC).read_bytes()
    place = mkv.index(_MATROSKA_DURATION) + len(_MATROSKA_DURATION)
    return mkv[:place] + struct.pack(">d", hours * 3_600_000.0) + mkv[place + 8 :]


def wide_pictures(folder: Path) -> bytes:
    return make_clip(folder / "wide.mkv", *SILENT, size="20000x16", rate=1, codecs=("-c:v", "ffv1")).read_bytes()


def truncated(folder: Path) -> bytes:
    """The index of all ten seconds, and the data of three."""
    whole = make_clip(folder / "whole.mp4", *AAC, "-movflags", "faststart", seconds=10).read_bytes()
    return whole[: len(whole) * 3 // 10]


def without_index(folder: Path) -> bytes:
    whole = make_clip(folder / "whole.mp4", *AAC).read_bytes()
    return whole[: whole.index(b"moov") - 4]


def only_sound(folder: Path) -> bytes:
    return make_clip(folder / "sound.mp4", "-vn", codecs=AAC).read_bytes()


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _list(name: bytes, data: bytes) -> bytes:
    return b"LIST" + struct.pack("<I", len(data) + 4) + name + data


def _two_streams(headers: bytes) -> bytes:
    """`avih` with the number of streams raised."""
    place = headers.index(b"avih") + 8 + 24
    return headers[:place] + struct.pack("<I", 2) + headers[place + 4 :]


def _box(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data) + 8) + name + data


def _edited(data: bytes, path: list[bytes], edit: Callable[[bytes], bytes]) -> bytes:
    """With every box at this path changed, and the boxes around it made to fit."""
    if not path:
        return edit(data)
    result, place = b"", 0
    while place < len(data):
        size, name = struct.unpack_from(">I4s", data, place)
        content = data[place + 8 : place + size]
        result += _box(name, _edited(content, path[1:], edit) if name == path[0] else content)
        place += size
    return result
