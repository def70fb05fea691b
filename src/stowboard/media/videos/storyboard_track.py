"""The storyboard of a video as WebVTT: which part of the sheet belongs to which seconds, as players read it."""

from stowboard.media.videos.captions.vtt import time_text
from stowboard.media.videos.video import Storyboard


def storyboard_track(board: Storyboard, duration_ms: int, sheet: str) -> str:
    cues = []
    for number in range(board.count):
        row, column = divmod(number, board.columns)
        begin = number * board.interval_ms
        # The last picture also stands for the rest of the video.
        end = duration_ms if number + 1 == board.count else begin + board.interval_ms
        area = f"{column * board.width},{row * board.height},{board.width},{board.height}"
        cues.append(f"{time_text(begin)} --> {time_text(end)}\n{sheet}#xywh={area}\n")
    return "\n".join(["WEBVTT\n", *cues])
