"""Small pictures of a video at even distances, all on one sheet, for the bar that people seek with.

Players read which part of the sheet belongs to which seconds from a WebVTT file, which is written from these numbers.
"""

from stowboard.media.videos.ffmpeg.clip import VideoClip
from stowboard.media.videos.video import Storyboard

_COLUMNS, _MOST = 10, 100
_LONG_SIDE = 160
_SHORTEST_MS = 1000


def storyboard_of(clip: VideoClip) -> Storyboard:
    interval_ms = max(_SHORTEST_MS, -(-clip.duration_ms // _MOST))
    factor = min(1.0, _LONG_SIDE / max(clip.width, clip.height))
    width, height = (max(2, int(side * factor) // 2 * 2) for side in (clip.width, clip.height))
    # In ffmpeg, each picture stands for half of the distance before it and behind it; the rest has no picture.
    count = max(1, min(_MOST, (clip.duration_ms - 1) // interval_ms))
    return Storyboard(interval_ms=interval_ms, width=width, height=height, columns=_COLUMNS, count=count)


def storyboard_filters(board: Storyboard) -> str:
    rows = -(-board.count // board.columns)
    return (
        f"fps=1000/{board.interval_ms},scale={board.width}:{board.height}:out_range=full,setsar=1,format=yuvj420p"
        f",tile={board.columns}x{rows}"
    )


STORYBOARD_OUTPUT = [
    "-frames:v", "1", "-an", "-sn", "-dn", "-map_metadata", "-1", "-c:v", "mjpeg", "-q:v", "4", "-f", "image2",
    "-update", "1",
]  # fmt: skip
