"""Libraries that few requests need are loaded when they are first used, so that an idle server stays small.

Bytes depend on the machine; which modules are loaded does not. Python itself writes down each module that it loads.
"""

import re
import subprocess
import sys
from collections.abc import Iterator

import httpx2
import pytest

from support.api.answers import data_of
from support.servers.stacks import UNLIMITED
from support.servers.stowboard import Server

#: Libraries that an idle server does not have, with all that is below them.
LATE = (
    "OpenSSL", "asyncpg", "av", "cbor2", "cryptography", "difflib", "email.headerregistry", "h11", "joserfc",
    "obstore", "pyvips", "smtplib", "webauthn",
)  # fmt: skip
_LOADED = re.compile(r"^import time: .*\| +(\S+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose log names each module that it loads."""
    server = Server(tmp_path_factory.mktemp("idle"), {**UNLIMITED, "PYTHONPROFILEIMPORTTIME": "1"}).start()
    yield server
    server.stop()


def late_ones(server: Server) -> set[str]:
    """The late modules that it has loaded."""
    beginnings = tuple(f"{name}." for name in LATE)
    return {name for name in _LOADED.findall(server.log()) if name in LATE or name.startswith(beginnings)}


def test_a_server_that_lists_and_creates_loads_no_library_that_this_does_not_need(idle: Server) -> None:
    with httpx2.Client(base_url=idle.origin, headers=idle.headers) as client:
        data_of(client.post("/api/v1/taskapp/task-index/backfill"))
        task = data_of(client.post("/api/v1/taskapp/tasks", json={"title": "Water the plants"}), 201)
        assert [each["id"] for each in data_of(client.get("/api/v1/taskapp/tasks"))] == [task["id"]]
        assert "stowboard.tasks.create" in _LOADED.findall(idle.log())
        assert late_ones(idle) == set()
        assert client.get("/docs/errors").status_code == 200
        assert late_ones(idle) == set()


def test_the_supervisor_of_several_processes_loads_no_application() -> None:
    code = "import sys, stowboard.cli.serving.supervise; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert {"stowboard.app", "stowboard.tasks", "stowboard.media.routes"} & set(run.stdout.split()) == set()
