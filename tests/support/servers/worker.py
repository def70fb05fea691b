"""`stowboard worker` beside a server that leaves its jobs alone, so that a test says when they are done."""

from collections.abc import Iterator
from contextlib import contextmanager

from support.servers.stowboard import PROGRAM, Server
from support.stored.rows import rows

NO_JOBS = {"STOWBOARD_JOBS_IN_SERVER": "false"}


@contextmanager
def working(server: Server) -> Iterator[int]:
    """Inside of the block, the jobs of this installation are done, by the process of this number."""
    command = [str(PROGRAM), "worker", "--data-dir", str(server.data_dir)]
    with server.log_file.open("ab") as log:
        process = server.launch(command, server.environment, log, log, server.folder)
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait(timeout=60)


def make_due(server: Server, periodic: str) -> None:
    """The next worker begins with this periodic job."""
    values = f"INSERT INTO schedule (name, next) VALUES ('{periodic}', 1)"
    rows(server, f"{values} ON CONFLICT (name) DO UPDATE SET next = 1")


def end_leases(server: Server) -> None:
    """As if half a minute had passed since killed workers were heard of.

    The attempt that a kill cut off does not count: tests kill more often than a job may be tried.
    """
    rows(server, "UPDATE job SET due = 1, token = NULL, attempt = attempt - 1 WHERE token IS NOT NULL")
