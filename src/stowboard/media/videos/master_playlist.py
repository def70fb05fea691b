"""The HLS master playlist of a video (RFC 8216): the made steps of its ladder, and its captions."""

from collections.abc import Sequence

from stowboard.media.videos.captions.caption import Caption, playlist_name
from stowboard.media.videos.video import Rung

CONTENT_TYPE = "application/vnd.apple.mpegurl"
_CAPTIONS = "captions"


def master_playlist(rungs: Sequence[Rung], captions: Sequence[Caption] = ()) -> str:
    """Smallest first: players begin with the first one, and a start without a wait is worth more than a sharp one.

    The sound alone comes last, for who has no bandwidth for more.
    """
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"]
    lines += [f"#EXT-X-MEDIA:{_caption_attributes(caption)}" for caption in captions]
    for rung in sorted(rungs, key=lambda rung: (rung.height == 0, rung.bandwidth)):
        lines += [f"#EXT-X-STREAM-INF:{_attributes(rung, has_captions=bool(captions))}", f"{rung.name}.m3u8"]
    return "\n".join(lines) + "\n"


def _attributes(rung: Rung, has_captions: bool) -> str:
    told = {
        "BANDWIDTH": rung.bandwidth,
        "AVERAGE-BANDWIDTH": rung.average_bandwidth,
        "RESOLUTION": f"{rung.width}x{rung.height}" if rung.height else None,
        "FRAME-RATE": rung.frame_rate,
        "CODECS": f'"{rung.codecs}"',
        "SUBTITLES": f'"{_CAPTIONS}"' if has_captions else None,
    }
    return ",".join(f"{name}={value}" for name, value in told.items() if value is not None)


def _caption_attributes(caption: Caption) -> str:
    """Labels have no quotes and no line ends (see caption.py)."""
    return (
        f'TYPE=SUBTITLES,GROUP-ID="{_CAPTIONS}",NAME="{caption.label}",LANGUAGE="{caption.language}",DEFAULT=NO'
        f',AUTOSELECT=YES,FORCED=NO,URI="{playlist_name(caption.language)}"'
    )
