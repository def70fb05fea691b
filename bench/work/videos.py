"""A video from its last byte to its first picture, and to all of its sizes; beside one plain call of ffmpeg."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

from bench.harness.figures import Contender, Sample, Void
from bench.harness.processes import cpu_seconds
from bench.harness.servers import Server
from stowboard.media.videos.ffmpeg.program import get_ffmpeg
from stowboard_client import Client

SIZES = ((426, 240, 604), (640, 360, 962), (854, 480, 1481), (1280, 720, 2721), (1920, 1080, 5000))  # and kbit/s
_SECONDS = 1200.0
_LOOK_S = 0.1


def make_film(file: Path, seconds: int) -> None:
    """1080p with thirty pictures a second, some noise as of a camera, and sound."""
    picture = f"testsrc2=s=1920x1080:r=30:d={seconds},noise=alls=6:allf=t"
    _run(
        "-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", f"sine=f=440:d={seconds}", "-c:v", "libx264",
        "-preset", "ultrafast", "-b:v", "10M", "-pix_fmt", "yuv420p", "-c:a", "aac", str(file),
    )  # fmt: skip


class OurFilm:
    """One upload gives both figures; the clock runs from the call of finalize."""

    def __init__(self, server: Server, file: Path) -> None:
        self._server, self._file = server, file
        self._all: Sample | None = None

    def first_picture(self, _seconds: float) -> Sample:
        with Client(self._server.origin, self._server.admin_token) as client:
            video = client.videos.create("Film", size=self._file.stat().st_size)
            assert video.tus_upload_url is not None
            client.videos.send(video.tus_upload_url, self._file)
            spent, started = cpu_seconds(self._server.pid), time.monotonic()
            client.videos.finalize(video.id)
            while (video := client.videos.get(video.id)).status == "processing":
                time.sleep(_LOOK_S)
            first = self._since(started, spent)
            while video.processing is not None and time.monotonic() - started < _SECONDS:
                time.sleep(_LOOK_S)
                video = client.videos.get(video.id)
            self._all = self._since(started, spent)
            if video.status != "ready" or len(video.renditions) != len(SIZES) + 1:
                raise Void(f"the video is {video.status} in {len(video.renditions)} sizes")
            client.videos.delete(video.id)
        return first

    def all_sizes(self, seconds: float) -> Sample:
        if self._all is None:
            self.first_picture(seconds)
        assert self._all is not None
        sample, self._all = self._all, None
        return sample

    def _since(self, started: float, spent: float) -> Sample:
        return Sample(1 / (time.monotonic() - started), cpu_us=(cpu_seconds(self._server.pid) - spent) * 1e6)


def plain_call(file: Path, folder: Path) -> Contender:
    """The same sizes, as a person would write it: decoded once, each scaled from the source."""
    names = [f"s{height}" for _, height, _ in SIZES]
    scales = [
        f"[i{name}]scale={width}:{height},setsar=1[{name}]"
        for name, (width, height, _) in zip(names, SIZES, strict=True)
    ]
    graph = ";".join([f"[0:v]split={len(names)}" + "".join(f"[i{name}]" for name in names), *scales])

    def turn(_seconds: float) -> Sample:
        words = ["-i", str(file), "-filter_complex", graph]
        for name, (_, _, kbits) in zip(names, SIZES, strict=True):
            words += [
                "-map", f"[{name}]", "-map", "0:a", "-c:v", "libx264", "-preset", "veryfast", "-crf", "23",
                "-maxrate", f"{kbits}k", "-bufsize", f"{kbits}k", "-force_key_frames", "expr:gte(t,n_forced*2)",
                "-sc_threshold", "0", "-c:a", "aac", "-b:a", "128k", "-ac", "2", "-ar", "48000", "-f", "hls",
                "-hls_time", "4", "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4", "-hls_flags",
                "single_file", "-hls_segment_filename", str(folder / f"{name}.mp4"), str(folder / f"{name}.m3u8"),
            ]  # fmt: skip
        spent, started = cpu_seconds(os.getpid()), time.monotonic()
        _run(*words)
        return Sample(1 / (time.monotonic() - started), cpu_us=(cpu_seconds(os.getpid()) - spent) * 1e6)

    return turn


def _run(*words: str) -> None:
    command = [get_ffmpeg(None), "-nostdin", "-y", "-loglevel", "error", *words]
    subprocess.run(command, check=True, timeout=_SECONDS)
