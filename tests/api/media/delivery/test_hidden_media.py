"""What is protected is not told apart from what is not there, at the addresses that carry their own proof."""

import httpx2

from stowboard_client import Client
from support.media.unique_images import png
from support.media.video_files import video_file

NO_ASSET, NO_VIDEO = "ast_01kbr2x4q8e9w6y3t7n5m1c0vz", "0" * 32


def answer_of(web: httpx2.Client, path: str) -> tuple[int, bytes, list[str]]:
    answer = web.get(path)
    names = sorted(name for name in answer.headers if name not in ("date", "x-request-id"))
    return answer.status_code, answer.content, names


def test_a_protected_asset_answers_as_one_that_never_was(client: Client, web: httpx2.Client) -> None:
    asset = client.uploads.image("a.png", png(40, 30), visibility="protected")
    client.uploads.replace(asset.id, png(20, 10), mime_type="image/png", original_name="b.png")
    client.uploads.wait_until_ready(asset.id)
    tail = client.delivery.url(asset.id).url.partition("?")[2].replace("sig=", "sig=x")
    for rest in (
        "v1/original/a.png", "v2/original/a.png", "v9/original/a.png", "v2/thumbnail/a.png", "v2/nonsense/a.png",
        "r1/original/a.png", "r7/original/a.png", f"v2/original/a.png?{tail}", "v2/original/a.png?exp=1",
    ):  # fmt: skip
        hidden, never = (answer_of(web, f"/cdn/{each}/{rest}") for each in (asset.id, NO_ASSET))
        assert hidden == never, rest
        assert hidden[0] == (400 if "nonsense" in rest else 404), rest


def test_a_protected_video_answers_as_one_that_never_was(client: Client, web: httpx2.Client) -> None:
    video = client.videos.upload(video_file(), "Harbour")
    valid = client.videos.signed_url(video.provider_video_id).url.partition("/stream/")[2].partition("/")[0]
    for token in ("public", "x", valid[:-2] + "AA"):
        for file in ("master.m3u8", "video.mp4", "poster.jpg", "240p.mp4", "nonsense"):
            hidden, never = (
                answer_of(web, f"/stream/{token}/{each}/{file}") for each in (video.provider_video_id, NO_VIDEO)
            )
            assert hidden == never, (token, file)
            assert hidden[0] == 404
