"""The HLS master playlist of a video (RFC 8216): the made renditions of its ladder, and its captions."""

from collections.abc import Sequence

from stowboard.media.videos.captions.caption import Caption, playlist_name
from stowboard.media.videos.video import Rendition

CONTENT_TYPE = "application/vnd.apple.mpegurl"
_CAPTIONS = "captions"


def master_playlist(renditions: Sequence[Rendition], captions: Sequence[Caption] = ()) -> str:
    """Smallest first: players begin with the first one, and a start without a wait is worth more than a sharp one.

    The sound alone comes last, for players without bandwidth for more.
    """
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"]
    lines += [f"#EXT-X-MEDIA:{_caption_attributes(caption)}" for caption in captions]
    for rendition in sorted(renditions, key=lambda rendition: (rendition.height == 0, rendition.bandwidth)):
        lines += [f"#EXT-X-STREAM-INF:{_attributes(rendition, has_captions=bool(captions))}", f"{rendition.name}.m3u8"]
    return "\n".join(lines) + "\n"


def _attributes(rendition: Rendition, has_captions: bool) -> str:
    told = {
        "BANDWIDTH": rendition.bandwidth,
        "AVERAGE-BANDWIDTH": rendition.average_bandwidth,
        "RESOLUTION": f"{rendition.width}x{rendition.height}" if rendition.height else None,
        "FRAME-RATE": rendition.frame_rate,
        "CODECS": f'"{rendition.codecs}"',
        "SUBTITLES": f'"{_CAPTIONS}"' if has_captions else None,
    }
    return ",".join(f"{name}={value}" for name, value in told.items() if value is not None)


def _caption_attributes(caption: Caption) -> str:
    """Labels have no quotes and no line ends (see caption.py)."""
    return (
        f'TYPE=SUBTITLES,GROUP-ID="{_CAPTIONS}",NAME="{caption.label}",LANGUAGE="{caption.language}",DEFAULT=NO'
        f',AUTOSELECT=YES,FORCED=NO,URI="{playlist_name(caption.language)}"'
    )
