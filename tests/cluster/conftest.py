"""An installation of two nodes and two workers, over a PostgreSQL and a Valkey that may be killed."""

from collections.abc import Iterator

import pytest

from support.servers.cluster import Cluster
from support.servers.postgres import PostgresServer
from support.servers.seaweedfs import SeaweedFs
from support.servers.stacks import UNLIMITED
from support.servers.valkey import ValkeyServer

#: So that a test can wait for S3 to be given up, and that balancers notice a stop.
SETTINGS = UNLIMITED | {"STOWBOARD_S3_TIMEOUT_SECONDS": "2", "STOWBOARD_DRAIN_SECONDS": "1"}


@pytest.fixture(scope="session")
def mortal_postgres() -> Iterator[PostgresServer]:
    """Whoever kills it starts it again."""
    server = PostgresServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def mortal_valkey() -> Iterator[ValkeyServer]:
    """Whoever kills it starts it again."""
    server = ValkeyServer()
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def cluster(
    tmp_path_factory: pytest.TempPathFactory,
    mortal_postgres: PostgresServer,
    mortal_valkey: ValkeyServer,
    seaweedfs: SeaweedFs,
) -> Iterator[Cluster]:
    """For the tests of one file, each of which leaves it whole."""
    folder = tmp_path_factory.mktemp("cluster")
    with Cluster(folder, mortal_postgres, mortal_valkey, seaweedfs, SETTINGS) as cluster:
        yield cluster
