"""Small videos as bytes, and bytes that only look like one."""

import functools
import tempfile
from pathlib import Path

from support.media.clips import AAC, H264, make_clip

_WEBM = ("-c:v", "libvpx", "-c:a", "libvorbis")


@functools.cache
def video_file(seconds: int = 1, size: str = "64x36", container: str = "mp4") -> bytes:
    """A moving picture with sound."""
    with tempfile.TemporaryDirectory() as folder:
        codecs = _WEBM if container == "webm" else H264 + AAC
        return make_clip(Path(folder) / f"clip.{container}", size=size, seconds=seconds, codecs=codecs).read_bytes()


#: What ffmpeg would follow to other files and addresses, and what is no video at all.
IMPOSTORS = {
    "an HLS playlist": b"#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
    "a concat script": b"ffconcat version 1.0\nfile /etc/passwd\n",
    "a DASH manifest": b'<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"></MPD>',
    "a web page": b"<!doctype html><script>alert(1)</script>",
    "an image": b"\x89PNG\r\n\x1a\n" + bytes(64),
    "sound": b"ID3\x04" + bytes(64),
    "text": b"Dear diary, today nothing happened.",
    "zeros": bytes(5000),
}
