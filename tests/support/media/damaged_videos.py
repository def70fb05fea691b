"""Videos that met with an accident on their way: cut off, with bits flipped, or in another container's clothes."""

from collections.abc import Callable

from support.media.video_files import video_file

MP4, WEBM = "mp4", "webm"


def cut(container: str, part: float) -> bytes:
    """Only the first part of it came."""
    whole = video_file(seconds=4, container=container)
    return whole[: int(len(whole) * part)]


def without_its_beginning() -> bytes:
    whole = video_file()
    return whole[len(whole) // 2 :]


def with_flipped_bits(container: str, begin: float, end: float) -> bytes:
    """Every byte of this part has some of its bits the other way round."""
    content = bytearray(video_file(seconds=2, container=container))
    for place in range(int(len(content) * begin), int(len(content) * end)):
        content[place] ^= 0x5A
    return bytes(content)


def dressed_as(signature: bytes, container: str) -> bytes:
    """The first bytes of one container before the rest of another."""
    return signature + video_file(container=container)[len(signature) :]


AS_MP4 = b"\0\0\0\x18ftypisom\0\0\x02\0isommp41"
AS_MATROSKA = b"\x1aE\xdf\xa3\xa3B\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x88matroska"
AS_AVI = b"RIFF\xff\xff\0\0AVI LIST"

DAMAGED: dict[str, Callable[[], bytes]] = {
    "an MP4 without its end": lambda: cut(MP4, 0.5),
    "an MP4 that ends in its head": lambda: cut(MP4, 0.01),
    "a WebM that ends in its head": lambda: cut(WEBM, 0.05),
    "an MP4 without its beginning": without_its_beginning,
    "an MP4 with flipped bits in pictures and sound": lambda: with_flipped_bits(MP4, 0.02, 0.9),
    "an MP4 with flipped bits in its index": lambda: with_flipped_bits(MP4, 0.85, 1),
    "a WebM with flipped bits": lambda: with_flipped_bits(WEBM, 0.02, 1),
    "a WebM that says it is an MP4": lambda: dressed_as(AS_MP4, WEBM),
    "an MP4 that says it is Matroska": lambda: dressed_as(AS_MATROSKA, MP4),
    "an MP4 that says it is an AVI": lambda: dressed_as(AS_AVI, MP4),
}
