"""Where ffmpeg is, and the sentence where it is missing."""

import sys

import pytest

from stowboard.media.videos.ffmpeg.program import FfmpegMissing, get_ffmpeg


@pytest.mark.parametrize("setting", [None, "/nowhere/ffmpeg"])
def test_a_missing_ffmpeg_is_a_sentence_that_names_the_setting(
    setting: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)  # as if it was not installed
    with pytest.raises(FfmpegMissing, match="STOWBOARD_FFMPEG"):
        get_ffmpeg(setting)
