"""One system call after the other fails. What was answered with 2xx is stored, and the server serves again."""

import base64
import hashlib
import os
from pathlib import Path

import httpx2
import pytest

from support.disks.strace import failing
from support.servers.forked import launch
from support.servers.stacks import UNLIMITED
from support.servers.stowboard import Server

CALLS = {"fdatasync": "EIO", "fsync": "EIO", "pwrite64": "ENOSPC", "write": "EIO", "rename": "EIO", "openat": "EMFILE"}
WRITES = 8
FEW = [("fdatasync", 1), ("fsync", 1), ("fsync", 2), ("pwrite64", 2), ("pwrite64", 5), ("rename", 1)]
MANY = [(call, nth) for call in CALLS for nth in range(1, 41)]


@pytest.mark.parametrize(
    "failures", [pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.soak)]
)
def test_no_failure_of_a_system_call_loses_an_acknowledged_write(
    tmp_path: Path, failures: list[tuple[str, int]]
) -> None:
    server = Server(tmp_path / "server", UNLIMITED, launch=launch).start()
    stored: dict[str, bytes] = {}
    refusals = 0
    try:
        for call, nth in failures:
            with failing(server.pid, call, CALLS[call], nth):
                kept = write(server)
            refusals += WRITES - len(kept)
            stored |= kept
            goes_on_or_starts_again(server)
            kept = write(server)
            assert len(kept) == WRITES, f"{call} {nth}: it does not recover"
            stored |= kept
            server.kill()  # nothing is left in its memory
            server.start()
            check(server, stored, f"{call} {nth}")
    finally:
        server.kill()
    assert refusals > 0, "nothing failed"


def write(server: Server) -> dict[str, bytes]:
    """A few tasks and files; those that were acknowledged, with the digest of a file."""
    kept: dict[str, bytes] = {}
    with httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=60) as http:
        for _ in range(WRITES // 2):
            content = os.urandom(9_000)
            file = {"filename": "a.bin", "data": base64.b64encode(content).decode()}
            for path, body, digest in (
                ("/taskapp/tasks", {"title": "A task"}, b""),
                ("/media/upload/file", file, hashlib.sha256(content).digest()),
            ):
                try:
                    answer = http.post(path, json=body)
                except httpx2.TransportError:  # it ended
                    continue
                assert answer.status_code in {201, 500, 503, 507}, answer.text
                if answer.status_code == 201:
                    kept[answer.json()["data"]["id"]] = digest
    return kept


def goes_on_or_starts_again(server: Server) -> None:
    try:
        httpx2.get(f"{server.origin}/healthz", timeout=60).raise_for_status()
    except httpx2.TransportError:
        server.kill()
        server.start()


def check(server: Server, stored: dict[str, bytes], failure: str) -> None:
    with httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=60) as http:
        for name, digest in stored.items():
            path = f"/media/assets/{name}" if digest else f"/taskapp/tasks/{name}"
            answer = http.get(path)
            assert answer.status_code == 200, f"{failure}: {name}"
            if digest:
                url = httpx2.URL(answer.json()["data"]["url"])
                content = http.get(server.origin + url.path).raise_for_status().content
                assert hashlib.sha256(content).digest() == digest, f"{failure}: {name}"
