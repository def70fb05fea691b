"""`stowboard worker` beside a server that leaves its jobs alone, so that a test says when they are done."""

from collections.abc import Iterator
from contextlib import contextmanager

from support.servers.stowboard import PROGRAM, Server
from support.stored.rows import rows

NO_JOBS = {"STOWBOARD_JOBS_IN_SERVER": "false"}
#: For a server that is a fork (see `forked_program`): it takes itself for busy with requests.
BUSY = {"TESTED_WHILE_BUSY": "1"}


@contextmanager
def working(server: Server) -> Iterator[int]:
    """Inside of the block, the jobs of this installation are done, by the process of this number."""
    command = [str(PROGRAM), "worker", "--data-dir", str(server.data_dir)]
    environment = {name: value for name, value in server.environment.items() if name not in BUSY}
    with server.log_file.open("ab") as log:
        process = server.launch(command, environment, log, log, server.folder)
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait(timeout=60)


def make_due(server: Server, periodic: str) -> None:
    """The next worker begins with this periodic job."""
    values = f"INSERT INTO schedule (name, next) VALUES ('{periodic}', 1)"
    rows(server, f"{values} ON CONFLICT (name) DO UPDATE SET next = 1")
