"""null for an optional member: at creation as if left out; a change clears it, or names what cannot be cleared."""

import secrets
from typing import Any

import httpx2
import pytest
from msgspec import inspect

from stowboard.api.endpoint import AnyEndpoint
from stowboard.catalogue import ENDPOINTS
from stowboard.core.wording import fields_of, options_of
from support.api.answers import data_of, error_of, message_of
from support.media.video_files import video_file

V1 = "/api/v1"
MADE: dict[str, dict[str, Any]] = {
    "/access/tokens": {"owner": "alice"},
    "/access/clients": {"owner": "alice"},
    "/taskapp/tasks": {"title": "a"},
    "/taskapp/boards": {"name": "a"},
    "/media/upload/file": {"filename": "a.txt", "data": "YQ=="},
    "/media/upload/presigned": {"filename": "a.txt", "size": 1},
    "/media/videos/upload": {"title": "a"},
}
#: What tells one thing from another.
ITS_OWN = {
    "id", "token", "clientId", "clientSecret", "createdAt", "updatedAt", "url", "uploadUrl", "tusUploadUrl",
    "providerVideoId", "columns",
}  # fmt: skip


def optional_of(body: Any) -> list[inspect.Field]:
    return [field for field in fields_of(body) if not field.required]


def takes_null(field: inspect.Field) -> bool:
    return any(isinstance(option, inspect.NoneType) for option, _ in options_of(field.type))


@pytest.mark.parametrize(
    "endpoint", [e for e in ENDPOINTS if e.method == "POST" and e.body and not e.alias_of], ids=lambda e: str(e.path)
)
def test_every_optional_member_of_a_creation_takes_null(endpoint: AnyEndpoint) -> None:
    assert endpoint.body is not None
    assert [field.encode_name for field in optional_of(endpoint.body) if not takes_null(field)] == []


@pytest.mark.parametrize("path", MADE)
def test_null_at_creation_is_as_if_left_out(admin: httpx2.Client, path: str) -> None:
    (endpoint,) = [e for e in ENDPOINTS if (e.method, e.path) == ("POST", path)]
    nulls = {field.encode_name: None for field in optional_of(endpoint.body)}
    assert nulls
    given = data_of(admin.post(V1 + path, json=nulls | MADE[path]), 201)
    omitted = data_of(admin.post(V1 + path, json=MADE[path]), 201)
    assert without_its_own(given) == without_its_own(omitted)


def without_its_own(thing: dict[str, Any]) -> dict[str, Any]:
    roughly = {"expiresAt": thing["expiresAt"] // 1_000_000} if thing.get("expiresAt") else {}
    return {name: value for name, value in (thing | roughly).items() if name not in ITS_OWN}


def test_null_beside_what_plays_a_video_or_signs_a_url_is_as_if_left_out(admin: httpx2.Client) -> None:
    video = data_of(admin.post(V1 + "/media/videos/upload", json={"title": "a", "size": len(video_file())}), 201)
    signed = admin.post(f"{V1}/media/videos/{video['providerVideoId']}/signed-url", json={"expiresIn": None})
    assert data_of(signed)["expiresAt"] > 0
    asset = data_of(admin.post(V1 + "/media/upload/file", json=MADE["/media/upload/file"]), 201)
    nulls = {"expiresIn": None, "transformClass": None, "disposition": None}
    assert data_of(admin.post(f"{V1}/media/assets/{asset['id']}/url", json=nulls))["expiresAt"] > 0


@pytest.mark.parametrize("path", ["/taskapp/tasks", "/media/upload/file", "/media/videos/upload"])
def test_null_clears_tags(admin: httpx2.Client, path: str) -> None:
    made = data_of(admin.post(V1 + path, json=MADE[path] | {"tags": ["a" + secrets.token_hex(4)]}), 201)
    home = {"/media/upload/file": "/media/assets", "/media/videos/upload": "/media/videos"}.get(path, path)
    assert data_of(admin.patch(f"{V1}{home}/{made['id']}", json={"tags": None}))["tags"] == []
    assert data_of(admin.get(f"{V1}{home}/{made['id']}"))["tags"] == []


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("path", "members"),
    [
        ("/taskapp/tasks", ["title", "status", "visibility", "archived"]),
        ("/media/upload/file", ["filename", "visibility"]),
        ("/media/videos/upload", ["title", "visibility"]),
        ("/taskapp/boards", ["name"]),
    ],
)
def test_what_cannot_be_cleared_is_named(admin: httpx2.Client, path: str, members: list[str]) -> None:
    made = data_of(admin.post(V1 + path, json=MADE[path]), 201)
    home = {"/media/upload/file": "/media/assets", "/media/videos/upload": "/media/videos"}.get(path, path)
    for member in members:
        answer = admin.patch(f"{V1}{home}/{made['id']}", json={member: None})
        assert error_of(answer) == (400, "validation_failed")
        assert message_of(answer).startswith(f"{member}: "), message_of(answer)
    now = data_of(admin.get(f"{V1}{home}/{made['id']}"))
    assert now == {name: value for name, value in made.items() if name != "tusUploadUrl"}
