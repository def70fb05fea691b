"""A library as people have one: pictures, a protected one, documents, a video that plays."""

import base64
import tempfile
from pathlib import Path
from typing import Any

import httpx2

from support.console.scenes import draw
from support.media.clips import H264, ffmpeg
from support.media.documents import pdf
from support.servers.stowboard import Server
from support.waiting import wait_until

TAGS = [["holiday", "coast"], ["press"], ["holiday", "winter"], ["garden"], [], ["holiday"]]

PAPER = pdf(4)


def fill(
    server: Server, headers: dict[str, str], pictures: int = 12, grain: int = 4, space: str = "spc_library"
) -> dict[str, str]:
    """Ids by name. All of it is ready. Pictures are coarse, unless somebody is to look at them."""
    with httpx2.Client(base_url=server.base_url, headers=headers, timeout=60) as api:
        notes, public = b"Tent\nStove\nMap\n", {"visibility": "public", "spaceId": space}
        ids = {"notes": _upload(api, "file", "packing-list.txt", notes, ["holiday"], **public)}
        ids["paper"] = _upload(api, "file", "press-kit.pdf", PAPER, ["press"], **public)
        for number in reversed(range(pictures)):
            name, data = draw(number, grain)
            visibility = "protected" if number == 4 else "public"
            ids[name] = _upload(
                api, "image", name, data, TAGS[number % len(TAGS)], visibility=visibility, spaceId=space
            )
        ids["video"] = _video(api, "Ferry crossing", grain, space)
    return ids


def _upload(api: httpx2.Client, kind: str, name: str, data: bytes, tags: list[str], **more: Any) -> str:
    body = {"filename": name, "data": base64.b64encode(data).decode(), "tags": tags, **more}
    answer = api.post(f"/media/upload/{kind}", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["data"]["id"])


def _video(api: httpx2.Client, title: str, grain: int, space: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "ferry.jpg"
        picture.write_bytes(draw(6, grain)[1])
        pan = "scale=1280:-2,crop=640:360:'40*t':120,fps=10"
        still = ("-loop", "1", "-t", "3", "-i", str(picture), "-vf", pan)
        clip = ffmpeg(*still, *H264, str(Path(folder) / "ferry.mp4")).read_bytes()
    body = {"title": title, "size": len(clip), "tags": ["coast"], "spaceId": space}
    video = api.post("/media/videos/upload", json=body).json()["data"]
    tus = {"tus-resumable": "1.0.0", "upload-offset": "0", "content-type": "application/offset+octet-stream"}
    assert httpx2.patch(video["tusUploadUrl"], content=clip, headers=tus, timeout=60).status_code == 204
    assert api.post(f"/media/videos/{video['id']}/finalize").status_code == 200
    wait_until(lambda: api.get(f"/media/videos/{video['id']}").json()["data"]["status"] == "ready")
    return str(video["id"])
