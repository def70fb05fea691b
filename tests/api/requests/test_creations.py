"""Every creation says where the new thing is, and has an ETag."""

import base64
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from stowboard.catalogue import ENDPOINTS
from support.media.pictures import noise, saved
from support.servers.stowboard import Server

IMAGE = base64.b64encode(saved(noise(8, 8), ".png")).decode()
#: What can be made by a program; the address where it is, after `/api/v1`.
MADE: dict[str, tuple[dict[str, Any], str]] = {
    "/access/tokens": ({"owner": "alice"}, "/access/tokens/{id}"),
    "/access/clients": ({"owner": "alice", "name": "Printer"}, "/access/clients/{clientId}"),
    "/access/invitations": ({}, "/access/invitations/{id}"),
    "/media/upload/image": ({"filename": "a.png", "data": IMAGE}, "/media/assets/{id}"),
    "/media/upload/file": ({"filename": "a.txt", "data": "YQ=="}, "/media/assets/{id}"),
    "/media/upload/presigned": ({"filename": "a.txt", "size": 1}, "/media/assets/{id}"),
    "/media/videos/upload": ({"title": "A film"}, "/media/videos/{id}"),
    "/taskapp/tasks": ({"title": "A task"}, "/taskapp/tasks/{id}"),
    "/taskapp/boards": ({"name": "A board"}, "/taskapp/boards/{id}"),
    "/taskapp/calendar": ({}, "/taskapp/calendar"),
    "/webhooks": ({"url": "https://example.com/hook", "types": ["task.created"]}, "/webhooks/{id}"),
}


@pytest.fixture
def http(server: Server) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=server.base_url, headers=server.headers) as client:
        yield client


@pytest.mark.parametrize("path", MADE)
def test_a_creation_has_location_and_etag(server: Server, http: httpx2.Client, path: str) -> None:
    body, address = MADE[path]
    answer = http.post(path, json=body)
    assert answer.status_code == 201, answer.text
    data = answer.json()["data"]
    assert answer.headers["location"] == server.base_url + address.format(**data)
    assert answer.headers["etag"].startswith('"')


@pytest.mark.parametrize("path", ["/media/upload/file", "/media/videos/upload", "/taskapp/tasks", "/taskapp/boards"])
def test_what_was_made_can_be_changed_by_the_etag_of_its_creation(http: httpx2.Client, path: str) -> None:
    made = http.post(path, json=MADE[path][0])
    change = {"name": "Changed"} if path == "/taskapp/boards" else {"title": "Changed"}
    changed = http.patch(made.headers["location"], json=change, headers={"if-match": made.headers["etag"]})
    assert changed.status_code == 200, changed.text
    again = http.patch(made.headers["location"], json={}, headers={"if-match": '"another"'})
    assert again.status_code == 412


def test_a_column_is_below_its_board(server: Server, http: httpx2.Client) -> None:
    board = http.post("/taskapp/boards", json={"name": "A board"}).json()["data"]["id"]
    made = http.post(f"/taskapp/boards/{board}/columns", json={"name": "Later", "status": "todo"})
    column = made.json()["data"]["id"]
    assert made.headers["location"] == f"{server.base_url}/taskapp/boards/{board}/columns/{column}"


def test_the_openapi_document_says_so_of_every_creation(server: Server) -> None:
    document = httpx2.get(f"{server.origin}/openapi.json").json()
    created = [endpoint for endpoint in ENDPOINTS if endpoint.status == 201]
    for endpoint in created:
        said = document["paths"][endpoint.path][endpoint.method.lower()]["responses"]["201"]["headers"]
        assert {"Location", "ETag"} <= set(said), endpoint.path
