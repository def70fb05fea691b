"""Texts that players read, made of rows at each request.

They are the HLS master playlist of a video (RFC 8216), the playlist of its captions in one language, and the track of
its storyboard.
"""

from collections.abc import Sequence

from stowboard.media.videos.captions.caption_store import Caption
from stowboard.media.videos.captions.vtt import time_text
from stowboard.media.videos.video import Rendition, Storyboard

CONTENT_TYPE = "application/vnd.apple.mpegurl"
_CAPTIONS = "captions"


def master_playlist(renditions: Sequence[Rendition], captions: Sequence[Caption]) -> str:
    """The made renditions, smallest first: players begin with the first one, and a quick start matters more than a
    sharp picture.

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
    """Labels have no quotes and no line ends (see captions/routes.py)."""
    return (
        f'TYPE=SUBTITLES,GROUP-ID="{_CAPTIONS}",NAME="{caption.label}",LANGUAGE="{caption.language}",DEFAULT=NO'
        f',AUTOSELECT=YES,FORCED=NO,URI="captions-{caption.language}.m3u8"'
    )


def caption_playlist(language: str, duration_ms: int) -> str:
    """A playlist of one segment, as long as the video: HLS wants one, and the captions are one text."""
    seconds = duration_ms / 1000
    return "\n".join([
        "#EXTM3U", "#EXT-X-VERSION:7", f"#EXT-X-TARGETDURATION:{max(1, round(seconds + 0.5))}",
        "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD", f"#EXTINF:{seconds:.3f},", f"captions-{language}.vtt",
        "#EXT-X-ENDLIST", "",
    ])  # fmt: skip


def storyboard_track(board: Storyboard, duration_ms: int, sheet: str) -> str:
    """WebVTT that says which part of the sheet belongs to which seconds."""
    cues = []
    for number in range(board.count):
        row, column = divmod(number, board.columns)
        begin = number * board.interval_ms
        # The last picture also stands for the rest of the video.
        end = duration_ms if number + 1 == board.count else begin + board.interval_ms
        area = f"{column * board.width},{row * board.height},{board.width},{board.height}"
        cues.append(f"{time_text(begin)} --> {time_text(end)}\n{sheet}#xywh={area}\n")
    return "\n".join(["WEBVTT\n", *cues])
