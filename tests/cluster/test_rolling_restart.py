"""Nodes and workers are restarted one by one behind a load balancer, and the schema grows: nobody notices."""

import asyncio
import signal
import time
from pathlib import Path

import pytest

from stowboard.db.migrate import SHIPPED, migrate
from stowboard.db.open import DatabaseSettings, open_database
from support.clients.acknowledged import Load
from support.servers.balancer import Balancer
from support.servers.cluster import Cluster

#: What a release that is to come may do while this one runs: it adds.
ADDITIONS = """
ALTER TABLE task ADD COLUMN later TEXT;
ALTER TABLE task ADD COLUMN counted BIGINT NOT NULL DEFAULT 0;
ALTER TABLE asset ADD COLUMN later TEXT;
ALTER TABLE access_token ADD COLUMN later TEXT;
CREATE TABLE next_release (id BIGINT PRIMARY KEY);
CREATE INDEX task_later ON task (owner, later);
"""


def test_a_rolling_restart_fails_no_request(cluster: Cluster) -> None:
    with Balancer(cluster.nodes) as balancer, Load(balancer.http, cluster.admin_token) as load:
        time.sleep(0.5)
        restart_each(cluster, balancer)
        time.sleep(0.5)
    print(load.summary())
    assert (load.refusals, load.broken) == ([], 0)
    load.check(cluster.http)


@pytest.mark.soak
def test_many_rolling_restarts_fail_no_request(cluster: Cluster) -> None:
    with Balancer(cluster.nodes) as balancer, Load(balancer.http, cluster.admin_token, threads=12) as load:
        for _ in range(20):
            restart_each(cluster, balancer)
    print(load.summary())
    assert (load.refusals, load.broken) == ([], 0)


def test_a_migration_beside_running_nodes_fails_no_request_and_they_go_on(cluster: Cluster, tmp_path: Path) -> None:
    """The last test of this file: this release starts no more on a database of the next one."""
    with Balancer(cluster.nodes) as balancer, Load(balancer.http, cluster.admin_token) as load:
        time.sleep(0.5)
        assert cluster.nodes[0].command("upgrade").returncode == 0, "with nothing to do it does nothing"
        asyncio.run(migrate_to_next_release(cluster.database_url, tmp_path))
        time.sleep(1)
    print(load.summary())
    assert (load.refusals, load.broken) == ([], 0)
    load.check(cluster.http)
    assert cluster.postgres.sql("SELECT count(*) FROM next_release", cluster.database_url.rpartition("/")[2]) == "0"
    refused = cluster.nodes[0].command("upgrade")
    assert refused.returncode == 1
    assert "newer release" in refused.stderr


def restart_each(cluster: Cluster, balancer: Balancer) -> None:
    for worker in cluster.workers:
        assert worker.stop() == 0
        worker.start()
    for node in cluster.nodes:
        node.signal(signal.SIGTERM)
        balancer.wait_until(node, ready=False)
        assert node.wait() == 0
        node.start()
        balancer.wait_until(node, ready=True)


async def migrate_to_next_release(url: str, folder: Path) -> None:
    for file in SHIPPED.iterdir():
        (folder / file.name).write_text(file.read_text("utf-8"))
    number = len(list(folder.iterdir())) + 1
    (folder / f"{number:04d}_next.sql").write_text(ADDITIONS)
    database = await open_database(DatabaseSettings(url))
    try:
        assert [migration.version for migration in await migrate(database, folder)] == [number]
    finally:
        await database.close()
