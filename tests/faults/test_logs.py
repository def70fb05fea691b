"""The log tells of every request, and of no secret."""

import re
import secrets
from collections.abc import Iterator

import httpx2
import pytest

from support.clients.raw_connection import RawConnection, head
from support.servers.log_lines import line_of, log_lines
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server

HOSTILE = {
    "a line end": "%0d%0a%7B%22level%22:%22forged%22%7D",
    "an escape sequence": "%1b%5b2J",
    "a terminal's one-byte escape": "%c2%9b2J",
    "another line end": "%e2%80%a8forged%c2%85forged",
    "a quote and a backslash": '%22%5c"\\',
    "a NUL": "%00",
    "a direction mark": "%e2%80%aeevil",
    "very long": "x" * 5000,
}


@pytest.fixture(scope="module")
def server(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    server = make_server(stack() | UNLIMITED | {"STOWBOARD_LOG_FORMAT": "json", "STOWBOARD_LOG_LEVEL": "debug"})
    yield server
    server.kill()


def test_every_request_is_a_line_with_its_id_status_and_path(server: Server) -> None:
    with httpx2.Client(base_url=server.base_url, headers=server.headers) as http:
        answers = [
            http.get("/"),
            http.get("/nowhere", headers={"x-request-id": "given-by-the-client"}),
            http.post("/access/tokens", content=b"{"),
            http.post("/access/tokens", json={"owner": "alice"}),
            http.get("/", headers={"authorization": ""}),
            http.get(f"{server.origin}/healthz"),
        ]
    assert [answer.status_code for answer in answers] == [200, 404, 400, 201, 401, 200]
    assert answers[1].headers["x-request-id"] == "given-by-the-client"
    for answer in answers:
        line = line_of(server, answer.headers["x-request-id"])
        assert line["status"] == answer.status_code
        assert line["method"] == answer.request.method
        assert line["path"] == answer.request.url.path
        assert line["ms"] >= 0
        assert bool(line["tokenId"]) == (answer.status_code in (200, 404, 400, 201) and "/api/v1" in line["path"])
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"])


@pytest.mark.parametrize("path", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_path_stays_in_its_line(server: Server, path: str) -> None:
    request_id = "hostile-" + secrets.token_hex(8)
    send_path(server, path, request_id)
    line = line_of(server, request_id)
    assert line["status"] in (400, 404)
    assert line["path"].isascii()
    assert line["path"].isprintable()
    assert len(line["path"]) < 2000
    assert not any(other["level"] == "forged" for other in log_lines(server))


def test_a_hostile_path_does_nothing_to_a_terminal(make_server: MakeServer) -> None:
    server = make_server({"STOWBOARD_LOG_FORMAT": "text"})
    for path in HOSTILE.values():
        send_path(server, path, "hostile-request")
    server.stop()
    lines = server.log().split("\n")
    assert sum("404" in line and "/api/v1/" in line for line in lines) == len(HOSTILE)
    assert all(line.isprintable() for line in lines)


def test_no_secret_is_in_the_log(server: Server) -> None:
    key = "key-" + secrets.token_hex(16)
    wrong = "stow_" + secrets.token_hex(18)
    with httpx2.Client(base_url=server.base_url, headers=server.headers) as http:
        token = http.post("/access/tokens", json={"owner": "a", "admin": True}, headers={"idempotency-key": key}).json()
        http.post("/access/tokens", json={"owner": "a", "admin": True}, headers={"idempotency-key": key})
        http.post("/access/tokens", json={"owner": "b"}, headers={"idempotency-key": key})
        http.post("/access/tokens", content=b'{"owner": "' + key.encode(), headers={"idempotency-key": key})
        http.get("/", headers={"authorization": f"Bearer {wrong}"})
        http.get("/", headers={"authorization": f"Basic {wrong}"})
        http.get("/", params={"access_token": wrong})
        http.get("/", headers={"x-request-id": f"Bearer {wrong}"})
        client = http.post("/access/clients", json={"owner": "a"}).json()["data"]
        credentials = (client["clientId"], client["clientSecret"])
        grant = {"grant_type": "client_credentials"}
        granted = httpx2.post(f"{server.origin}/oauth/token", data=grant, auth=credentials).json()["access_token"]
        httpx2.post(f"{server.origin}/oauth/token", data=grant, auth=(client["clientId"], wrong))
        in_body = {"client_id": client["clientId"], "client_secret": client["clientSecret"]}
        httpx2.post(f"{server.origin}/oauth/token", data=grant | in_body)
        last = http.get("/", headers={"authorization": f"Bearer {granted}"})
    assert last.status_code == 200
    line_of(server, last.headers["x-request-id"])
    log = server.log()
    hidden = [server.admin_token, key, wrong, token["data"]["token"], client["clientSecret"], granted]
    assert [secret for secret in hidden if secret in log] == []
    assert "bearer" not in log.lower()


def send_path(server: Server, path: str, request_id: str) -> None:
    with RawConnection(server.port) as connection:
        connection.send(head("GET", f"/api/v1/{path}", server.admin_token, f"x-request-id: {request_id}"))
        connection.answer()
