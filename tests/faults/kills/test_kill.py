"""The server is killed at random moments under load. What it acknowledged is there, once, and is answered the same."""

import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import suppress

import apsw
import pytest

from support.clients.writers import Write, Writers, retried
from support.servers.stacks import UNLIMITED, MakeServer, Stack, on_postgres
from support.servers.stowboard import Server
from support.stored.rows import rows

pytestmark = pytest.mark.cluster_in_soak

THREADS = 6
MOST_RETRIED = 200


def test_kills_of_the_whole_server_lose_and_repeat_nothing(stack: Stack, make_server: MakeServer) -> None:
    torture(make_server(stack() | UNLIMITED), kill_all, kills=4)


def test_kills_of_one_process_of_several_lose_and_repeat_nothing(stack: Stack, make_server: MakeServer) -> None:
    torture(make_server(stack() | UNLIMITED, "--workers", "2"), kill_one, kills=3)


@pytest.mark.soak
@pytest.mark.parametrize("workers", ["1", "3"])
def test_many_kills_lose_and_repeat_nothing(stack: Stack, make_server: MakeServer, workers: str) -> None:
    torture(make_server(stack() | UNLIMITED, "--workers", workers), kill_all, kills=150)


def torture(server: Server, kill: Callable[[Server], None], kills: int) -> None:
    with Writers(server, THREADS) as writers:
        done = 0
        while done < kills or writers.broken == 0:  # a kill that hits no request proves nothing
            assert done < 20 * kills
            time.sleep(random.uniform(0.1, 0.9))
            kill(server)
            done += 1
    assert {refusal.status_code for refusal in writers.refusals} <= {503}
    check(server, writers)
    server.stop()
    if not on_postgres(server):
        check_file(server)


def kill_all(server: Server) -> None:
    server.kill()
    server.start()


def kill_one(server: Server) -> None:
    victims = server.children()
    if victims:
        with suppress(ProcessLookupError):
            os.kill(random.choice(victims), signal.SIGKILL)
    time.sleep(0.8)


def check(server: Server, writers: Writers) -> None:
    acknowledged = sorted(write.name for write in writers.writes)
    stored = rows(server, f"SELECT name FROM access_token WHERE name LIKE '{writers.run}-%'")
    assert sorted(name for (name,) in stored) == acknowledged
    retried(server, sample(writers.writes))
    for write in writers.writes:
        assert len(set(write.answers)) == 1, write.name


def sample(writes: list[Write]) -> list[Write]:
    return random.sample(writes, min(MOST_RETRIED, len(writes)))


def check_file(server: Server) -> None:
    connection = apsw.Connection(str(server.data_dir / "stowboard.db"))
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
