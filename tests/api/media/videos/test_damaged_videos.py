"""Videos that are damaged: each ends as failed, says why, and holds nobody up."""

import httpx2
import pytest

from stowboard_client import Client, VideoFailed, errors
from support.media.damaged_videos import DAMAGED
from support.media.video_files import video_file

pytestmark = pytest.mark.cluster_in_soak

REASONS = {"invalid_media", "not_a_video", "malformed_video", "unsupported_codec"}


@pytest.mark.parametrize("name", list(DAMAGED))
def test_a_damaged_video_fails_with_a_reason(client: Client, admin: httpx2.Client, name: str) -> None:
    with pytest.raises((VideoFailed, errors.InvalidMedia)):
        client.videos.upload(DAMAGED[name](), name, wait=120)
    [video] = [video for video in client.videos.list() if video.title == name]
    assert video.status == "failed"
    assert video.error is not None
    assert video.error.code in REASONS
    assert len(video.error.message) > 10
    assert "/" not in video.error.message.replace("and/or", ""), "no path of the server's"
    assert admin.post(f"/api/v1/media/videos/{video.provider_video_id}/signed-url", json={}).status_code < 500
    assert client.videos.delete(video.id).deleted


def test_a_whole_video_is_made_after_them(client: Client) -> None:
    assert client.videos.upload(video_file(), "Whole", wait=120).status == "ready"
