"""When an upload is acknowledged, each file of it was synced after its last byte, and each folder after its last name.

Any file system may be below. test_power_cuts.py tries one; this looks at the system calls alone.
"""

import secrets
import time
from pathlib import Path
from typing import Any

import httpx2

from support.disks.strace import NAMES, SYNCS, WRITES, FileCall, file_calls, under_strace, unsynced
from support.servers.stacks import UNLIMITED
from support.servers.stowboard import Server

PIECE = 1 << 20
TUS = {"tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream"}


def presigned(http: httpx2.Client, size: int) -> dict[str, Any]:
    answer = http.post("/media/upload/presigned", json={"filename": "a.bin", "size": size}).raise_for_status()
    data: dict[str, Any] = answer.json()["data"]
    return data


def put(http: httpx2.Client, size: int) -> list[float]:
    made = presigned(http, size)
    http.put(made["uploadUrl"], content=secrets.token_bytes(size), headers=made["headers"]).raise_for_status()
    return [time.time()]


def put_small(http: httpx2.Client) -> list[float]:
    return put(http, 9_000)


def put_large(http: httpx2.Client) -> list[float]:
    return put(http, 700_001)  # past the kernel's cache, and no multiple of a block


def send_pieces(http: httpx2.Client) -> list[float]:
    """Each piece is acknowledged; the last one makes a blob of them."""
    sizes = [PIECE, 5, PIECE - 5]
    made = presigned(http, sum(sizes))
    times, offset = [], 0
    for size in sizes:
        headers = TUS | {"upload-offset": str(offset)}
        http.patch(made["tusUploadUrl"], content=secrets.token_bytes(size), headers=headers).raise_for_status()
        times.append(time.time())
        offset += size
    return times


def send_inline(http: httpx2.Client) -> list[float]:
    http.post("/media/upload/file", json={"filename": "a.txt", "data": "aGVsbG8="}).raise_for_status()
    return [time.time()]


def test_what_is_acknowledged_was_synced_before(tmp_path: Path) -> None:
    log = tmp_path / "calls"
    launch = under_strace("-y", "-ttt", "-e", f"trace={WRITES},{NAMES},{SYNCS}", "-o", str(log))
    server = Server(tmp_path / "server", UNLIMITED | {"STOWBOARD_JOBS_IN_SERVER": "false"}, launch=launch).start()
    try:
        with httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=120) as http:
            times = {upload.__name__: upload(http) for upload in (put_small, put_large, send_pieces, send_inline)}
    finally:
        server.kill()
    calls = list(file_calls(log, server.folder))
    needless = {str(server.log_file), f"{server.data_dir}/stowboard.db-shm"}  # SQLite makes the last one again
    for name, moments in times.items():
        for moment in moments:
            assert unsynced(calls, moment) - needless == set(), name


def test_what_was_written_after_its_sync_is_noticed() -> None:
    calls = [FileCall(1, "name", "/a/b"), FileCall(2, "write", "/a/b"), FileCall(3, "sync", "/a/b")]
    assert unsynced(calls, 2.5) == {"/a", "/a/b"}
    assert unsynced(calls, 4) == {"/a"}
    assert unsynced([*calls, FileCall(4, "sync", "/a"), FileCall(5, "write", "/a/b")], 6) == {"/a/b"}
