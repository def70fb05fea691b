"""Several nodes and workers of one installation, as separate processes with separate folders.

    with Cluster(folder, postgres, valkey, seaweedfs, settings) as cluster:
        with cluster.client() as client: …       # each request goes to a node by chance
        cluster.to_database[0].refuse()          # the way from the first node to PostgreSQL is cut
        cluster.to_files.fault = Delay(0.3)      # S3 is slow for all

PostgreSQL, Valkey and S3 are given, and stay. Workers reach PostgreSQL directly.
"""

import random
import secrets
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import httpx2

from stowboard_client import Client
from support.servers.fault_proxy import FaultProxy
from support.servers.forked import launch
from support.servers.postgres import PostgresServer
from support.servers.seaweedfs import ACCESS_KEY, BUCKET, SECRET_KEY, SeaweedFs
from support.servers.stowboard import PROGRAM, Process, Server, clean_environment
from support.servers.valkey import ValkeyServer
from support.servers.worker import NO_JOBS
from support.waiting import PATIENCE_SECONDS, wait_until

#: What clients call the installation, whichever node answers.
ORIGIN = "http://stow.test"
NODES, WORKERS = 2, 2


class Cluster:
    def __init__(
        self,
        folder: Path,
        postgres: PostgresServer,
        valkey: ValkeyServer,
        seaweedfs: SeaweedFs,
        settings: dict[str, str],
    ) -> None:
        self.postgres, self.valkey = postgres, valkey
        self._folder = folder
        self._closing = ExitStack()
        self.database_url = postgres.create_database()
        self.to_database = [FaultProxy("127.0.0.1", postgres.port) for _ in range(NODES)]
        self.to_files = FaultProxy("127.0.0.1", urlsplit(seaweedfs.endpoint).port or 80)
        self._settings = {
            "STOWBOARD_BLOBS_URL": f"s3://{BUCKET}/{secrets.token_hex(6)}",
            "STOWBOARD_VALKEY_URL": valkey.url,
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
            **settings,
        }
        self.nodes: list[Server] = []
        self.workers: list[WorkerProcess] = []

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self._closing.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    @property
    def admin_token(self) -> str:
        return self.nodes[0].admin_token

    def node(self, number: int, settings: dict[str, str] | None = None, name: str = "node") -> Server:
        """One that is not started yet, on the way of this number to the database, with these settings as well.

        As nodes on different hosts do, those on different ways share no memory.
        """
        database = {"STOWBOARD_DATABASE_URL": self._through(number)}
        settings = self._settings | NO_JOBS | database | (settings or {})
        node = Server(self._folder / f"{name}{number}", settings, launch=launch)
        self._closing.callback(node.kill)
        return node

    def worker(self, name: str, settings: dict[str, str] | None = None) -> "WorkerProcess":
        """One that is not started yet, with these settings as well."""
        database = {"STOWBOARD_DATABASE_URL": self.database_url}
        worker = WorkerProcess(self._folder / name, self._settings | database | (settings or {}))
        self._closing.callback(worker.kill)
        return worker

    def http(self) -> httpx2.Client:
        """Without a token; below it, addresses of the installation are paths."""
        return httpx2.Client(transport=AnyNode(self.nodes), base_url=ORIGIN, timeout=PATIENCE_SECONDS)

    def client(self) -> Client:
        """The client library, with the admin token."""
        return Client(ORIGIN, self.admin_token, http=self.http())

    def wait_until_ready(self) -> None:
        for node in self.nodes:
            wait_until(partial(is_ready, node))

    def _start(self) -> None:
        for proxy in (*self.to_database, self.to_files):
            self._closing.enter_context(proxy)
        self._settings["STOWBOARD_S3_ENDPOINT"] = f"http://127.0.0.1:{self.to_files.port}"
        self.nodes = [self.node(number) for number in range(NODES)]
        self.workers = [self.worker(f"worker{number}") for number in range(WORKERS)]
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda process: process.start(), [*self.nodes, *self.workers]))

    def _through(self, number: int) -> str:
        return self.database_url.replace(f":{self.postgres.port}/", f":{self.to_database[number].port}/")


class WorkerProcess:
    """`stowboard worker`."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self.data_dir = folder / "data"
        self._log = folder / "worker.log"
        self._environment = clean_environment() | settings
        self._process: Process | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> Self:
        """Return once it works."""
        self.data_dir.mkdir(parents=True, exist_ok=True)
        command = [str(PROGRAM), "worker", "--data-dir", str(self.data_dir)]
        with self._log.open("ab") as log:
            before = log.tell()
            self._process = launch(command, self._environment, log, log, self.data_dir)
        wait_until(lambda: '"working"' in self._log.read_text()[before:])
        return self

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def stop(self) -> int:
        """Ask it to stop, and give its exit code."""
        assert self._process is not None
        self._process.terminate()
        try:
            return self._process.wait(PATIENCE_SECONDS)
        finally:
            self.kill()


class AnyNode(httpx2.BaseTransport):
    """Sends each request to a node by chance, whatever host its address names, and remembers which."""

    def __init__(self, nodes: list[Server]) -> None:
        self._nodes = nodes
        self._inner = httpx2.HTTPTransport()
        self.asked: list[tuple[Server, str, str]] = []

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        node = random.choice(self._nodes)
        self.asked.append((node, request.method, request.url.path))
        request.url = request.url.copy_with(scheme="http", host="127.0.0.1", port=node.port)
        return self._inner.handle_request(request)

    def close(self) -> None:
        self._inner.close()


def is_ready(node: Server) -> bool:
    return httpx2.get(f"{node.origin}/readyz", timeout=PATIENCE_SECONDS).status_code == 200
