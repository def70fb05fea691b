"""Encoders of devices: one that does not work is refused in words; of one that does, its own options are used.

There is no device here. A program stands in for ffmpeg, and hands the work of the device to libx264.
"""

import json
import sys
import textwrap
from pathlib import Path

import av
import pytest

from stowboard.media.base.settings import VIDEO_ENCODERS
from stowboard.media.videos.ffmpeg.clip import read_clip
from stowboard.media.videos.ffmpeg.encoder import ENCODERS, EncoderUnusable, require_encoder
from stowboard.media.videos.ffmpeg.ladder import plan_renditions
from stowboard.media.videos.ffmpeg.storyboard import storyboard_of
from stowboard.media.videos.ffmpeg.transcode import make_renditions
from support.media.clips import AAC, FFMPEG, make_clip

DEVICES = VIDEO_ENCODERS[1:]


@pytest.mark.parametrize("encoder", DEVICES)
async def test_an_encoder_without_its_device_is_refused_in_words(encoder: str) -> None:
    with pytest.raises(EncoderUnusable, match=f"STOWBOARD_VIDEO_ENCODER is {encoder}, which .* cannot use here"):
        await require_encoder(FFMPEG, encoder)


async def test_the_one_of_the_processor_works() -> None:
    assert tuple(ENCODERS) == VIDEO_ENCODERS
    await require_encoder(FFMPEG, "libx264")


@pytest.mark.parametrize("encoder", ["h264_nvenc", "h264_vaapi"])
async def test_a_working_encoder_makes_the_ladder(tmp_path: Path, encoder: str) -> None:
    stand_in = tmp_path / "ffmpeg"
    stand_in.write_text(
        textwrap.dedent(f"""\
        #!{sys.executable} -IS
        import json, os, sys
        with open({str(tmp_path / "asked")!r}, "w") as asked:
            json.dump(sys.argv, asked)
        words = [word.replace(",hwupload", "").replace(",format=nv12", "") for word in sys.argv]
        words = [word.replace("format=nv12", "null") for word in words]
        for name in ("-vaapi_device", "-forced-idr:v"):
            if name in words:
                del words[words.index(name) : words.index(name) + 2]
        os.execv({FFMPEG!r}, ["libx264" if word == {encoder!r} else word for word in words])
        """)
    )
    stand_in.chmod(0o755)
    await require_encoder(str(stand_in), encoder)
    source = make_clip(tmp_path / "clip.mp4", *AAC, size="640x360")
    clip = await read_clip(source)

    async def ignore(_: int) -> None: ...

    plans, board = plan_renditions(clip), storyboard_of(clip)
    made = await make_renditions(str(stand_in), source, clip, plans, tmp_path, ignore, board, encoder)
    asked = json.loads((tmp_path / "asked").read_text())
    assert asked[asked.index("-c:v") + 1] == encoder
    assert "libx264" not in " ".join(asked)
    assert "-b:v:1" in asked, "devices are told a mean of bits"
    assert [each.plan.name for each in made] == ["audio", "240p", "360p"]
    with av.open(str(made[-1].file)) as container:
        assert (container.streams.video[0].width, container.streams.video[0].height) == (640, 360)
