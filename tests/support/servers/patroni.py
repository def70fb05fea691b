"""Three PostgreSQL servers of which Patroni makes one the primary, and an etcd in which it keeps who that is.

    with PatroniCluster() as cluster:
        victim = cluster.find_primary()
        victim.kill()          # as a machine that loses its power; `start` brings it back
        victim.freeze()        # as a machine that hangs; `thaw`
        victim.cut_off()       # from etcd and from the other servers, not from clients; `join`
        cluster.wait_until_whole()

Commits wait for one standby, and writes stop if there is none (`synchronous_mode_strict`): so no failover loses what
was acknowledged. What goes between servers, and from each of them to etcd, goes through proxies.
"""

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import httpx2
import pytest

from support.servers.fault_proxy import FaultProxy, Pass, Stall
from support.servers.ports import free_port
from support.servers.postgres import reachable_binaries, unprivileged
from support.waiting import wait_until

SERVERS = 3
#: A primary that is gone is replaced after TTL_SECONDS. One that is cut off steps down before that.
TTL_SECONDS = 20
_COMMON: dict[str, Any] = {
    "ttl": TTL_SECONDS,
    "loop_wait": 2,
    "retry_timeout": 8,
    "maximum_lag_on_failover": 0,
    "synchronous_mode": True,
    "synchronous_mode_strict": True,
    "postgresql": {
        "use_pg_rewind": True,
        "parameters": {"fsync": "off", "shared_buffers": "64MB", "wal_keep_size": "256MB"},
    },
}


def require_programs() -> None:
    missing = [name for name in ("etcd", "patroni") if shutil.which(name) is None]
    if missing:
        pytest.skip(
            f"NOT TESTED: losing PostgreSQL needs {' and '.join(missing)} (apt-get install etcd-server;"
            " pip install 'patroni[etcd3]==4.1.5' 'psycopg[binary]' in an environment of its own)"
        )


class PatroniCluster:
    def __init__(self) -> None:
        self._closing = ExitStack()
        self._folder = Path(tempfile.mkdtemp(prefix="stowboard-patroni-"))
        self._as_user = unprivileged(self._folder)
        self._etcd_port = free_port()
        self.servers: list[PatroniServer] = []

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self._closing.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def url(self, database: str) -> str:
        """Names all servers, which clients reach without a proxy."""
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in self.servers)
        return f"postgresql://postgres@{hosts}/{database}?target_session_attrs=primary"

    def find_primary(self) -> "PatroniServer | None":
        """The one that etcd names, as those know that are not away."""
        leader = next((member["name"] for member in self._members() if member["role"] == "leader"), None)
        return next((server for server in self.servers if server.name == leader), None)

    def wait_until_whole(self) -> None:
        """A primary, and two standbys that follow it, one of which commits wait for."""
        wait_until(self._is_whole)

    def _start(self) -> None:
        self._closing.callback(shutil.rmtree, self._folder, ignore_errors=True)
        binaries = reachable_binaries(self._folder, self._as_user)
        client, peer = (f"http://127.0.0.1:{port}" for port in (self._etcd_port, free_port()))
        etcd = ["etcd", "--data-dir", str(self._folder / "etcd"), "--unsafe-no-fsync"]
        etcd += ["--listen-client-urls", client, "--advertise-client-urls", client]
        etcd += ["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer]
        etcd += ["--initial-cluster", f"default={peer}"]
        # Debian's etcd asks for this on aarch64.
        environment = os.environ | {"ETCD_UNSUPPORTED_ARCH": "arm64"}
        with (self._folder / "etcd.log").open("ab") as log:
            process = subprocess.Popen(
                etcd, stdout=log, stderr=log, cwd=self._folder, env=environment, start_new_session=True, **self._as_user
            )
        self._closing.callback(_end, process)
        wait_until(lambda: _answer(f"{client}/health") is not None)
        for number in range(SERVERS):
            server = PatroniServer(self._folder / f"pg{number}", binaries, self._as_user, self._etcd_port)
            self.servers.append(server)
            self._closing.enter_context(server)
            server.start()
        self.wait_until_whole()

    def _is_whole(self) -> bool:
        states = sorted((member["role"], member["state"]) for member in self._members())
        standbys = [("replica", "streaming"), ("sync_standby", "streaming")]
        return states == [("leader", "running"), *standbys]

    def _members(self) -> list[dict[str, Any]]:
        for server in self.servers:
            if not server.is_away and (known := _answer(f"http://127.0.0.1:{server.rest_port}/cluster")) is not None:
                return list(known["members"])
        return []


class PatroniServer:
    def __init__(self, folder: Path, binaries: Path, as_user: dict[str, Any], etcd_port: int) -> None:
        self.name, self.port, self.rest_port = folder.name, free_port(), free_port()
        self._folder, self._binaries, self._as_user = folder, binaries, as_user
        self._process: subprocess.Popen[bytes] | None = None
        self._ways = [FaultProxy("127.0.0.1", port) for port in (self.port, self.rest_port, etcd_port)]
        #: True while it is killed, frozen or cut off.
        self.is_away = False

    def __enter__(self) -> Self:
        for way in self._ways:
            way.__enter__()
        self._folder.mkdir(mode=0o700)
        unprivileged(self._folder)
        (self._folder / "patroni.yml").write_text(json.dumps(self._settings()))  # JSON is YAML too
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        for way in self._ways:
            way.__exit__()

    def start(self) -> None:
        with (self._folder / "patroni.log").open("ab") as log:
            self._process = subprocess.Popen(
                ["patroni", str(self._folder / "patroni.yml")],
                stdout=log, stderr=log, cwd=self._folder, start_new_session=True, **self._as_user,
            )  # fmt: skip
        self.is_away = False

    def kill(self) -> None:
        self.is_away = True
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self._signal(signal.SIGKILL)
        wait_until(lambda: self._postgres() == [])

    def freeze(self) -> None:
        self.is_away = True
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)
        self.is_away = False

    def cut_off(self) -> None:
        self.is_away = True
        for way in self._ways:
            way.fault = Stall()

    def join(self) -> None:
        for way in self._ways:
            way.reset_all()
            way.fault = Pass()
        self.is_away = False

    def log(self) -> str:
        return (self._folder / "patroni.log").read_text()

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
        for process_id in self._postgres():
            _try(os.kill, process_id, number)

    def _postgres(self) -> list[int]:
        """The processes of PostgreSQL: they work in its data folder."""
        data = str(self._folder / "data")
        numbers = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
        return [number for number in numbers if _try(os.readlink, f"/proc/{number}/cwd") == data]

    def _settings(self) -> dict[str, Any]:
        to_postgres, to_rest, to_etcd = (f"127.0.0.1:{way.port}" for way in self._ways)
        trust = ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
        postgres = {
            "listen": f"127.0.0.1:{self.port}",
            "connect_address": to_postgres,
            "data_dir": str(self._folder / "data"),
            "bin_dir": str(self._binaries),
            "pgpass": str(self._folder / "pgpass"),
            "pg_hba": trust,
            "authentication": {name: {"username": "postgres"} for name in ("superuser", "replication", "rewind")},
            "parameters": {"unix_socket_directories": str(self._folder)},
            "remove_data_directory_on_rewind_failure": True,
            "remove_data_directory_on_diverged_timelines": True,
        }
        return {
            "scope": "stowboard",
            "name": self.name,
            "restapi": {"listen": f"127.0.0.1:{self.rest_port}", "connect_address": to_rest},
            "etcd3": {"hosts": [to_etcd], "use_proxies": True},
            "bootstrap": {"dcs": _COMMON, "initdb": [{"encoding": "UTF8"}, {"auth": "trust"}, {"locale": "C"}]},
            "postgresql": postgres,
        }


def _answer(address: str) -> dict[str, Any] | None:
    try:
        return dict(httpx2.get(address, timeout=3).json())
    except (httpx2.TransportError, ValueError):
        return None


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _try(call: Callable[..., Any], *args: Any) -> Any:
    """None if the process is gone, or not ours."""
    try:
        return call(*args)
    except OSError:
        return None
