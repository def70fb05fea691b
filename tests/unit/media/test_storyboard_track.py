"""Each picture of a storyboard has its seconds and its part of the sheet, without gaps up to the end of the video."""

from stowboard.media.videos.playlists import storyboard_track
from stowboard.media.videos.video import Storyboard


def test_pictures_follow_each_other_row_by_row_and_the_last_one_lasts_to_the_end() -> None:
    board = Storyboard(interval_ms=1500, width=160, height=90, columns=2, count=3)
    assert storyboard_track(board, 5250, "sheet.jpg") == (
        "WEBVTT\n\n"
        "00:00:00.000 --> 00:00:01.500\nsheet.jpg#xywh=0,0,160,90\n\n"
        "00:00:01.500 --> 00:00:03.000\nsheet.jpg#xywh=160,0,160,90\n\n"
        "00:00:03.000 --> 00:00:05.250\nsheet.jpg#xywh=0,90,160,90\n"
    )


def test_one_picture_lasts_for_all_of_a_short_video() -> None:
    board = Storyboard(interval_ms=1000, width=64, height=36, columns=10, count=1)
    assert "00:00:00.000 --> 00:00:00.400\n" in storyboard_track(board, 400, "sheet.jpg")
