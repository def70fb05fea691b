"""The tools by which an agent works with media."""

import base64
import re
import subprocess
from pathlib import Path

import httpx2
import pytest

from stowboard_client import Client
from support.api.answers import data_of
from support.clients.agents import Agent
from support.clients.credentials import Issue
from support.media.pictures import corners, noise, opened, saved
from support.servers.stowboard import Server
from support.waiting import wait_until

pytestmark = pytest.mark.cluster_in_soak


def picture(width: int = 900, height: int = 600) -> str:
    return base64.b64encode(saved(corners(width, height), ".png")).decode()


def test_a_picture_is_added_found_looked_at_and_tagged(agent: Agent, owner: str) -> None:
    added = agent.call("add_media", filename="harbour.png", data=picture(), tags=[owner], alt="Boats")["media"]
    assert (added["kind"], added["width"], added["status"]) == ("image", 900, "ready")
    assert [item["id"] for item in agent.call("find_media", tags=[owner], query="boats")["media"]] == [added["id"]]
    result = agent.try_call("view_media", id=added["id"])
    words, image, link = result["content"]
    assert "harbour.png" in words["text"]
    assert (image["type"], image["mimeType"]) == ("image", "image/webp")
    assert opened(base64.b64decode(image["data"])).width == 768
    assert (link["type"], link["mimeType"]) == ("resource_link", "image/png")
    assert len(httpx2.get(link["uri"]).content) == link["size"]
    assert agent.call("edit_media", ids=[added["id"], "ast_x"], addTags=["sea"]) == {"changed": 1, "missing": ["ast_x"]}
    agent.call("edit_media", ids=[added["id"]], removeTags=[owner], title="Dawn")
    facts = agent.call("view_media", id=added["id"], size="none")["media"]
    assert (facts["tags"], facts["title"], facts["alt"]) == (["sea"], "Dawn", "Boats")
    assert len(agent.try_call("view_media", id=added["id"], size="none")["content"]) == 2


def test_media_goes_to_the_trash_and_back_and_what_an_agent_added_is_undone(agent: Agent, admin: httpx2.Client) -> None:
    added = agent.call("add_media", filename="notes.md", text="Hello")["media"]["id"]
    video = data_of(admin.post("/api/v1/media/videos/upload", json={"title": "v", "size": 5}), 201)["id"]
    both = {"ids": [added, video, "vid_x"]}
    assert agent.call("edit_media", trash=True, **both) == {"changed": 2, "missing": ["vid_x"]}
    paths = [f"/api/v1/media/assets/{added}", f"/api/v1/media/videos/{video}"]
    assert all(data_of(admin.get(path))["trashedAt"] for path in paths)
    agent.call("edit_media", trash=False, **both)
    assert not any(data_of(admin.get(path))["trashedAt"] for path in paths)
    changes = data_of(admin.get("/api/v1/changes", params={"subject": added}))
    assert [change["kind"] for change in changes] == ["media.asset.updated"] * 2 + ["media.asset.created"]
    for change in changes:
        data_of(admin.post(f"/api/v1/changes/{change['id']}/undo"))
    assert data_of(admin.get(paths[0]))["trashedAt"]


def test_an_image_that_is_too_heavy_is_shown_smaller(agent: Agent, client: Client) -> None:
    heavy = client.uploads.image("noise.jpg", saved(noise(1280, 1280), ".jpg", Q=95))
    _, image, _ = agent.try_call("view_media", id=heavy.id, size="large")["content"]
    data = base64.b64decode(image["data"])
    assert len(data) <= 200 * 1024
    assert opened(data).width < 1280


def test_a_short_text_is_added_and_read(agent: Agent) -> None:
    added = agent.call("add_media", filename="notes.md", text="# Hello\n\nWorld", protected=True)["media"]
    assert (added["kind"], added["visibility"]) == ("file", "protected")
    _, text, link = agent.try_call("view_media", id=added["id"])["content"]
    assert "# Hello\n\nWorld" in text["text"]
    assert httpx2.get(link["uri"]).content == b"# Hello\n\nWorld"


def test_a_large_file_goes_to_an_address_that_takes_it_once(agent: Agent, tmp_path: Path, owner: str) -> None:
    (tmp_path / "FILE").write_bytes(data := b"0123456789abcdef" * 100_000)
    upload = agent.call("add_media", filename="film.bin", size=len(data), tags=[owner])["upload"]
    done = subprocess.run(["bash", "-c", upload["command"]], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    wait_until(lambda: bool(agent.call("view_media", id=upload["id"])["media"]["status"] == "ready"))
    assert httpx2.get(agent.call("view_media", id=upload["id"])["media"]["url"]).content == data
    assert httpx2.put(upload["uploadUrl"], content=data).status_code == 409
    assert re.search(r"curl -T FILE .*'http", agent.text("add_media", filename="other.bin", size=5))


def test_a_retry_under_a_key_adds_one_file(agent: Agent, owner: str) -> None:
    wanted = {"filename": "a.txt", "text": "same", "tags": [owner], "key": "k1"}
    assert agent.call("add_media", **wanted) == agent.call("add_media", **wanted)
    assert len(agent.call("find_media", tags=[owner])["media"]) == 1


def test_a_video_is_found_and_linked(agent: Agent, client: Client, owner: str) -> None:
    video = client.videos.create("Harbour", tags=[owner])
    (found,) = agent.call("find_media", kind="video", tags=[owner])["media"]
    assert agent.call("find_media", kind="video", tags=[owner], query="harb")["media"] == [found]
    assert agent.call("find_media", kind="video", tags=[owner], query="boat")["media"] == []
    assert (found["id"], found["kind"], found["status"]) == (video.id, "video", "awaiting_upload")
    assert agent.call("view_media", id=video.id)["media"]["url"].startswith("http")


def test_bytes_that_a_token_may_not_have_are_not_shown(
    agent: Agent, server: Server, client: Client, issue: Issue, owner: str
) -> None:
    added = agent.call("add_media", filename="x.png", data=picture(90, 60), protected=True)["media"]
    bound = httpx2.post(
        f"{server.base_url}/media/assets/{added['id']}/namespaces", json={"allowedNamespaces": ["shop"]},
        headers=server.headers,
    )  # fmt: skip
    assert bound.status_code == 200
    assert "namespace_not_allowed" in agent.refused("view_media", id=added["id"])
    shop = Agent(server.origin, issue(owner, namespace="shop"))
    assert len(shop.try_call("view_media", id=added["id"])["content"]) == 3


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("add_media", {"filename": "x.txt"}, "Give one of text, data (base64) and size"),
        ("add_media", {"filename": "x.txt", "text": "a", "size": 1}, "Give one of text"),
        ("add_media", {"filename": "x.png", "data": "aGVsbG8="}, "invalid_media"),
        ("add_media", {"filename": "x.bin", "data": "!"}, "invalid_base64"),
        ("add_media", {"filename": " ", "text": "a"}, "filename"),
        ("view_media", {"id": "ast_x"}, "not_found"),
        ("view_media", {"id": "vid_x"}, "not_found"),
        ("edit_media", {"ids": ["a", "b"], "title": "x"}, "give one id"),
        ("edit_media", {"ids": ["a"]}, "Give addTags"),
        ("find_media", {"kind": "video", "query": "due:<x"}, "due:<x is no day"),
    ],
)
def test_what_is_wrong_is_told_in_words_that_help(
    agent: Agent, tool: str, arguments: dict[str, object], words: str
) -> None:
    assert words in agent.refused(tool, **arguments)
