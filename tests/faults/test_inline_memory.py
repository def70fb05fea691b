"""Many inline uploads at once: what bodies take in memory is bounded; each is acknowledged or told to come again."""

import base64
import http.client
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator

import pytest

from support.processes.figures import memory_mib, peak_memory_mib
from support.processes.memory_group import memory_group
from support.servers.log_lines import errors
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server

MIB = 1 << 20
#: As base64 that is 9.6 MB.
FILE_BYTES = 7_200_000
BODY = json.dumps({"filename": "a.bin", "data": base64.b64encode(os.urandom(FILE_BYTES)).decode()}).encode()
#: A quarter of 768 MiB.
BUDGET_MIB = 192


@pytest.fixture
def server(make_server: MakeServer, stack: Stack) -> Iterator[Server]:
    server = make_server(stack() | UNLIMITED | {"STOWBOARD_BODY_MEMORY_MIB": str(BUDGET_MIB)})
    yield server
    server.kill()


@pytest.mark.cluster_in_soak
def test_uploads_at_once_share_a_budget(server: Server) -> None:
    before = memory_mib(server.pid)
    statuses = upload_at_once(server, 30)
    assert set(statuses) <= {201, 503}
    assert statuses[201] >= 3
    assert peak_memory_mib(server.pid) - before < 2 * BUDGET_MIB, "all of them at once took 750 MiB"
    assert set(upload_at_once(server, 2)) == {201}, "the room is free again"
    assert errors(server) == []


@pytest.mark.soak
def test_200_at_once_live_in_768_mebibytes(server: Server) -> None:
    limit = 768 * MIB - int(memory_mib(server.pid) * MIB)  # what it has by now is not counted there
    with memory_group(limit) as group:
        (group / "cgroup.procs").write_text(str(server.pid))
        statuses = upload_at_once(server, 200)
        assert set(statuses) <= {201, 503}, statuses
        assert sum(statuses.values()) == 200
        assert set(upload_at_once(server, 1)) == {201}
        print(f"200 at once: {dict(statuses)}, {peak_memory_mib(server.pid):.0f} MiB at most")
        server.kill()


def test_the_memory_that_a_process_may_have_is_that_of_its_control_group() -> None:
    with memory_group(300 * MIB) as group:
        program = f"{sys.executable} -c 'from stowboard.core.settings.memory import *; print(memory_allowed())'"
        command = ["sh", "-c", f"echo $$ > {group}/cgroup.procs; exec {program}"]
        assert int(subprocess.run(command, capture_output=True, check=True).stdout) == 300 * MIB


def upload_at_once(server: Server, count: int) -> Counter[int]:
    """The statuses of the answers; 0 for none."""
    statuses: Counter[int] = Counter()
    threads = [threading.Thread(target=lambda: statuses.update([upload(server)])) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses


def upload(server: Server) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    try:
        connection.request("POST", "/api/v1/media/upload/file", BODY, server.headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status != 503 or int(answer.headers["retry-after"]) >= 1
        return answer.status
    except OSError:
        return 0
    finally:
        connection.close()
