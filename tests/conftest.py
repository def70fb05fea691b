"""Real servers and databases, each started only if a test asks for it."""

import asyncio
import functools
import gc
import os
import secrets
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpcore2
import pytest
from httpx2._config import DEFAULT_TIMEOUT_CONFIG
from hypothesis import HealthCheck, settings

from stowboard.core import ids
from stowboard.db.database import Database
from stowboard.db.migrate import migrate
from stowboard.db.open import DatabaseSettings, open_database
from stowboard_client import Client
from support.servers.forked import launch
from support.servers.postgres import PostgresServer
from support.servers.seaweedfs import ACCESS_KEY, BUCKET, SECRET_KEY, SeaweedFs
from support.servers.stacks import EMBEDDED, UNLIMITED, FolderServer, MakeServer, Stack
from support.servers.stowboard import Server
from support.servers.valkey import ValkeyServer
from support.untested import UntestedReport
from support.waiting import PATIENCE_SECONDS

# A busy machine is no failure. The default run tries the same examples each time; `make soak` tries others, and more.
settings.register_profile(
    "same", max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("other", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("EXAMPLES", "same"))
for part in ("connect", "read", "write", "pool"):
    setattr(DEFAULT_TIMEOUT_CONFIG, part, PATIENCE_SECONDS)
# Ten thousand tests stay until the end: the collector need not look at them, not once and not again and again.
gc.disable()
# A program in the background of a shell is deaf to Ctrl-C, and so were all that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
# Compiled modules are kept, whatever this shell says: compiling takes half of each collection and of each start.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# A client reads the certificates of all authorities, which takes 40 ms. Here they share what was read once.
httpcore2.default_ssl_context = functools.cache(httpcore2.default_ssl_context)


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(WaitingSpread())
    else:  # in the process that has the reports of all others
        config.pluginmanager.register(UntestedReport())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the cluster of suites that are marked `cluster_in_soak` to `make soak`."""
    for item in items:
        if item.get_closest_marker("cluster_in_soak") and "cluster" in item.nodeid.partition("[")[2]:
            item.add_marker(pytest.mark.soak)


class WaitingSpread:
    """Strews files whose tests wait a good deal, or that take long, among the others.

    A process that waits leaves its core to the rest. Side by side, as they are collected, they all wait at once. They
    have begun when three quarters of the files have: what comes last is short.
    """

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        files = list(dict.fromkeys(item.nodeid.partition("::")[0] for item in items))
        waiting = [file for file in files if file.startswith(("tests/cluster/", "tests/faults/", "tests/typescript/"))]
        others = [file for file in files if file not in set(waiting)]
        places = {file: number / len(others) for number, file in enumerate(others)}
        places |= {file: 0.75 * number / len(waiting) for number, file in enumerate(waiting)}
        items.sort(key=lambda item: places[item.nodeid.partition("::")[0]])


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(20_000)  # objects made since it looked last; 700 by default
    gc.enable()


@pytest.fixture(autouse=True)
def ids_from_the_future_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids never go back, so a test that moves the clock ahead would leave later ids to all that follow."""
    monkeypatch.setattr(ids, "_latest", ids._latest)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """One server for the whole run. A test that kills or restarts it leaves it running."""
    server = PostgresServer()
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite database with every migration, to be copied: 5 ms instead of 60, and no fsync for each migration."""
    file = tmp_path_factory.mktemp("migrated") / "stowboard.db"
    asyncio.run(_migrate(f"sqlite:///{file}"))
    return file


@pytest.fixture(scope="session")
def migrated_template(postgres: PostgresServer) -> str:
    """The name of a PostgreSQL database with every migration, to be copied: faster than to migrate for each test."""
    url = postgres.create_database()
    asyncio.run(_migrate(url))
    return url.rpartition("/")[2]


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A fresh database of each dialect, migrated already."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("migrated_file"), tmp_path)
        yield f"sqlite:///{tmp_path}/stowboard.db"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    url = server.create_database(template=request.getfixturevalue("migrated_template"))
    yield url
    server.drop_database(url)


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A migrated database, run once on SQLite and once on PostgreSQL."""
    database = await open_database(DatabaseSettings(database_url, statement_timeout=PATIENCE_SECONDS))
    try:
        yield database
    finally:
        await database.close()


@pytest.fixture
async def other_node(database: Database, database_url: str) -> AsyncIterator[Database]:
    """A second way into the same database, as another node has it."""
    other = await open_database(DatabaseSettings(database_url, statement_timeout=PATIENCE_SECONDS))
    yield other
    await other.close()


@pytest.fixture(scope="session")
def seaweedfs() -> Iterator[SeaweedFs]:
    server = SeaweedFs.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def valkey() -> Iterator[ValkeyServer]:
    server = ValkeyServer()
    server.start()
    yield server
    server.kill()


@pytest.fixture(params=["embedded", "cluster"], scope="session")
def stack(request: pytest.FixtureRequest) -> Stack:
    """On SQLite and disk, and on PostgreSQL, S3 and Valkey."""
    if request.param == "embedded":
        return EMBEDDED
    postgres: PostgresServer = request.getfixturevalue("postgres")
    template: str = request.getfixturevalue("migrated_template")
    weed: SeaweedFs = request.getfixturevalue("seaweedfs")
    valkey: ValkeyServer = request.getfixturevalue("valkey")

    def settings() -> dict[str, str]:
        return {
            "STOWBOARD_DATABASE_URL": postgres.create_database(template=template),
            "STOWBOARD_BLOBS_URL": f"s3://{BUCKET}/{secrets.token_hex(6)}",
            "STOWBOARD_S3_ENDPOINT": weed.endpoint,
            # Deleted bytes go at once, so that tests can see them go.
            "STOWBOARD_BUCKET_GRACE_SECONDS": "0",
            "STOWBOARD_VALKEY_URL": valkey.url,
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
        }

    return Stack("cluster", settings)


@pytest.fixture(scope="module")
def make_server(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Iterator[MakeServer]:
    """Starts servers: `make_server(settings, "--workers", "2")`. They are stopped after the last test of the file."""
    yield from _making(tmp_path_factory, migrated_file)


@pytest.fixture(scope="session")
def make_lasting_server(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Iterator[MakeServer]:
    """The same, but they are stopped at the end of the run."""
    yield from _making(tmp_path_factory, migrated_file)


_of_folder: dict[tuple[object, ...], Server] = {}


@pytest.fixture(scope="session")
def folder_server(make_lasting_server: MakeServer) -> FolderServer:
    """A server that the files of a folder share, and that ends when the tests leave the folder."""

    def find(stack: Stack, settings: dict[str, str]) -> Server:
        known = (stack.name, *sorted(settings.items()))
        if known not in _of_folder:
            _of_folder[known] = make_lasting_server(stack() | UNLIMITED | settings)
        return _of_folder[known]

    return find


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """End the servers of a folder after its last test. At rest, three dozen of them take a fifth of a core."""
    if nextitem is None or nextitem.path.parent != item.path.parent:
        for server in _of_folder.values():
            server.kill()
        _of_folder.clear()


def _making(folders: pytest.TempPathFactory, migrated: Path) -> Iterator[MakeServer]:
    started: list[Server] = []

    def make(settings: dict[str, str], *options: str) -> Server:
        server = Server(folders.mktemp("server"), settings, *options, launch=launch)
        if "STOWBOARD_DATABASE_URL" not in settings:
            server.data_dir.mkdir(mode=0o700)
            shutil.copy(migrated, server.data_dir)
        started.append(server)
        return server.start()

    yield make
    for server in started:
        server.kill()


@pytest.fixture(scope="session")
def shared_servers() -> dict[str, Server]:
    """By the name of the stack. A fixture with the stack's own parameter would be made again at each change of it."""
    return {}


@pytest.fixture(scope="session")
def shared_server(stack: Stack, make_lasting_server: MakeServer, shared_servers: dict[str, Server]) -> Server:
    if stack.name not in shared_servers:
        shared_servers[stack.name] = make_lasting_server(stack() | UNLIMITED)
    return shared_servers[stack.name]


@pytest.fixture
def server(shared_server: Server) -> Server:
    """A running server of each stack, shared by the tests and without a rate limit to speak of."""
    return shared_server


@pytest.fixture
def own_server(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    """A running server of this test's own, with the default rate limit, to be stopped or killed at will."""
    server = make_server(stack())
    yield server
    server.kill()


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    """The client library, with the admin token."""
    with Client(server.origin, server.admin_token) as client:
        yield client


async def _migrate(url: str) -> None:
    database = await open_database(DatabaseSettings(url))
    try:
        await migrate(database)
    finally:
        await database.close()
