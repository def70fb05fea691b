"""The disk of the data folder and of the log is full, then has room again.

On the embedded stack; needs the right to mount a small disk.
"""

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import httpx2
import pytest

from support.servers.stacks import UNLIMITED
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import PATIENCE_SECONDS, wait_until

DISK_MIB = 12
TOKENS = "/access/tokens"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m,mode=700", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("NOT TESTED: the full disk needs the command mount")
    if mounted.returncode:
        pytest.skip(f"NOT TESTED HERE: the full disk needs the right to mount one: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def server(small_disk: Path) -> Iterator[Server]:
    server = Server(small_disk, UNLIMITED).start()
    yield server
    server.kill()


def test_a_full_disk_refuses_writes_serves_reads_and_heals(server: Server, small_disk: Path) -> None:
    with httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=120) as http:
        acknowledged = [created(http, f"before-{number}") for number in range(20)]
        fill(small_disk)
        acknowledged += write_until_refused(http)
        for number in range(10):
            refused = post(http, f"full-{number}")
            assert (refused.status_code, refused.json()["error"]["code"]) == (507, "insufficient_storage")
            assert int(refused.headers["retry-after"]) >= 1
            assert http.get(TOKENS).status_code == 200
            assert http.get(f"{TOKENS}/{acknowledged[0]}").status_code == 200
        assert httpx2.get(f"{server.origin}/readyz").status_code == 200
        (small_disk / "filler").unlink()
        acknowledged += [created(http, f"full-{number}") for number in range(10)]
        for token_id in acknowledged:
            assert http.get(f"{TOKENS}/{token_id}").status_code == 200
    stored = rows(server, "SELECT id FROM access_token WHERE name <> ''")
    assert {token_id for (token_id,) in stored} >= set(acknowledged)
    assert len({*acknowledged}) == len(acknowledged)
    assert "request failed" not in server.log()
    check_file(server)


def test_a_write_refused_for_want_of_room_is_done_by_its_retry(server: Server, small_disk: Path) -> None:
    with httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=120) as http:
        fill(small_disk)
        write_until_refused(http)
        assert post(http, "retried").status_code == 507
        (small_disk / "filler").unlink()
        first, second = post(http, "retried"), post(http, "retried")
    assert first.status_code == 201
    assert "idempotent-replayed" not in first.headers
    assert second.content == first.content


def test_a_log_that_cannot_be_written_stops_no_request_and_goes_on_later(server: Server, small_disk: Path) -> None:
    with httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=120) as http:
        fill(small_disk)
        for _ in range(300):  # more than a second, and many times what the log is written in
            assert http.get(TOKENS).status_code == 200
            time.sleep(0.004)
        (small_disk / "filler").unlink()
        request_id = http.get(TOKENS).headers["x-request-id"]
    wait_until(lambda: request_id in server.log())
    [line] = [line for line in server.log().splitlines() if request_id in line]
    assert json.loads(line)["status"] == 200, "the line is whole, whatever was torn before it"


def fill(disk: Path) -> None:
    with (disk / "filler").open("wb", buffering=0) as filler:
        for size in (65536, 4096, 512):
            try:
                while True:
                    filler.write(bytes(size))
            except OSError:
                continue


def write_until_refused(http: httpx2.Client) -> list[str]:
    """The log file may have room of its own left; the ids of what still fitted."""
    fitted: list[str] = []
    give_up = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < give_up:
        answer = post(http, f"fits-{len(fitted)}")
        if answer.status_code == 507:
            return fitted
        assert answer.status_code == 201
        fitted.append(answer.json()["data"]["id"])
    raise AssertionError("the disk is not full")


def created(http: httpx2.Client, name: str) -> str:
    answer = post(http, name)
    assert answer.status_code == 201
    return str(answer.json()["data"]["id"])


def post(http: httpx2.Client, name: str) -> httpx2.Response:
    return http.post(TOKENS, json={"owner": "alice", "name": name}, headers={"idempotency-key": name})


def check_file(server: Server) -> None:
    server.stop()
    connection = apsw.Connection(str(server.data_dir / "stowboard.db"))
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
