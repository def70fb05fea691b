"""Servers are killed and stopped, and videos deleted, while ffmpeg works on them."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from stowboard_client import Client
from support.media.clips import AAC, make_clip
from support.media.held_ffmpeg import HeldFfmpeg
from support.processes.confined import is_alive
from support.servers.stacks import MakeServer, Stack
from support.servers.stowboard import Server
from support.servers.worker import end_leases
from support.stored import blobs as stored_blobs
from support.stored.rows import rows
from support.waiting import wait_until

pytestmark = pytest.mark.cluster_in_soak


@pytest.fixture
def held_ffmpeg(tmp_path: Path) -> HeldFfmpeg:
    return HeldFfmpeg(tmp_path)


@pytest.fixture
def server(stack: Stack, make_server: MakeServer, held_ffmpeg: HeldFfmpeg) -> Iterator[Server]:
    server = make_server(stack() | {"STOWBOARD_FFMPEG": str(held_ffmpeg.program), "STOWBOARD_STOP_SECONDS": "1"})
    yield server
    server.kill()


@pytest.fixture
def video_id(server: Server, tmp_path: Path) -> str:
    """A video with the renditions 240p and 360p, finalized."""
    content = make_clip(tmp_path / "clip.mp4", *AAC, size="640x360").read_bytes()
    with Client(server.origin, server.admin_token) as client:
        video = client.videos.create("Harbour", size=len(content))
        assert video.tus_upload_url is not None
        client.videos.send(video.tus_upload_url, content)
        return client.videos.finalize(video.id).id


def test_a_killed_server_leaves_no_ffmpeg_and_the_next_one_makes_only_what_is_missing(
    server: Server, held_ffmpeg: HeldFfmpeg, video_id: str
) -> None:
    ffmpeg = asyncio.run(held_ffmpeg.reached())
    finished = keys(server, video_id)
    assert [name for name, key in finished if key is not None] == ["audio", "240p", "original"]
    os.kill(server.pid, signal.SIGKILL)
    wait_until(lambda: not is_alive(ffmpeg))
    server.kill()
    server.start()
    end_leases(server)
    ffmpeg = asyncio.run(held_ffmpeg.reached())
    assert server.stop() == 0
    assert not is_alive(ffmpeg)
    assert rows(server, "SELECT kind, token FROM job WHERE queue = 'rendition'") == [("video.make_rest", None)]
    assert list((server.data_dir / "work").iterdir()) == []
    held_ffmpeg.release()
    server.start()
    with Client(server.origin, server.admin_token) as client:
        assert client.videos.wait_until_ready(video_id, 60).status == "ready"
        wait_until(lambda: client.videos.get(video_id).processing is None)
    assert [each for each in keys(server, video_id) if each[0] != "360p"] == [each for each in finished if each[1]]
    assert stored_blobs.count(server, "rendition") == 4
    told = rows(server, f"SELECT type FROM event WHERE subject = '{video_id}' ORDER BY id")
    assert [kind for (kind,) in told][-2:] == ["media.video.ready", "media.video.completed"]
    assert len(told) == len(set(told))


def test_a_deletion_ends_ffmpeg_and_leaves_no_bytes(server: Server, held_ffmpeg: HeldFfmpeg, video_id: str) -> None:
    ffmpeg = asyncio.run(held_ffmpeg.reached())
    assert stored_blobs.count(server, "rendition") == 3
    with Client(server.origin, server.admin_token) as client:
        client.videos.delete(video_id)
    wait_until(lambda: not is_alive(ffmpeg))
    wait_until(lambda: not any((server.data_dir / "work").iterdir()))
    wait_until(lambda: rows(server, "SELECT id FROM job WHERE queue IN ('video', 'sweep')") == [])
    assert [stored_blobs.count(server, kind) for kind in ("rendition", "poster", "video")] == [0, 0, 0]


def keys(server: Server, video_id: str) -> list[tuple[str, str | None]]:
    return rows(
        server, f"SELECT name, blob_key FROM video_rendition WHERE video_id = '{video_id}' ORDER BY height, name"
    )
