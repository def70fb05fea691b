"""Other processes that use the database under test: `python database_program.py VERB URL ARGUMENT…`.

Each says on its standard output how far it is, one line at a time.
"""

import asyncio
import os
import resource
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import stowboard
from stowboard.core.errors import InsufficientStorage
from stowboard.db.database import Database, Tx
from stowboard.db.migrate import migrate
from stowboard.db.open import DatabaseSettings, open_database

_SOURCES = str(Path(stowboard.__file__).parents[1])


@contextmanager
def program(*args: str | int) -> Iterator["subprocess.Popen[str]"]:
    """Run a verb beside the test; what is left of it at the end is killed."""
    process = subprocess.Popen(
        [sys.executable, __file__, *map(str, args)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": _SOURCES},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


async def next_line(process: "subprocess.Popen[str]") -> str:
    """The program's next line, without holding up the event loop."""
    assert process.stdout is not None
    return (await asyncio.to_thread(process.stdout.readline)).strip()


async def finish(process: "subprocess.Popen[str]") -> None:
    """Let it go on to its end."""
    await asyncio.to_thread(process.communicate, "\n")
    assert process.returncode == 0


async def increment(database: Database, times: str) -> None:
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(int(times)):
        await database.transact(_increment)


async def hold(database: Database, sql: str) -> None:
    """Stay inside of a transaction until a line is read."""

    async def work(tx: Tx) -> None:
        await tx.all(sql)
        print("held", flush=True)
        sys.stdin.readline()

    await database.transact(work)


async def notify(database: Database, channel: str) -> None:
    async def work(tx: Tx) -> None:
        await tx.run("UPDATE counter SET value = value + 1")
        tx.notify(channel)

    await database.transact(work)


async def insert_until_killed(database: Database) -> None:
    """Say each id once it is acknowledged, from several tasks, so that commits are shared."""

    async def insert(first: int) -> None:
        for number in range(first, 10_000_000, 8):
            await database.transact(_insert, number)
            print(number, flush=True)

    await asyncio.gather(*(insert(first) for first in range(8)))


async def fill_the_disk(database: Database) -> None:
    """Write until there is no room, see that reading still works, get room, and write again."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (512 * 1024, hard))
    written = 0
    try:
        while written < 100:
            await database.transact(_insert_large, written)
            written += 1
    except InsufficientStorage:
        print("full", flush=True)
    assert await database.read(_count_large) == written
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    await database.transact(_insert_large, 1000)
    assert await database.read(_count_large) == written + 1
    print("recovered", flush=True)


async def start(database: Database) -> None:
    print("ready", flush=True)
    sys.stdin.readline()
    applied = await migrate(database)
    print(len(applied), flush=True)


async def _increment(tx: Tx) -> None:
    row = await tx.one("SELECT value FROM counter WHERE id = 1 FOR UPDATE")
    assert row is not None
    await tx.run("UPDATE counter SET value = $1 WHERE id = 1", row[0] + 1)


async def _insert(tx: Tx, number: int) -> None:
    await tx.run("INSERT INTO acknowledged (id) VALUES ($1)", number)


async def _insert_large(tx: Tx, number: int) -> None:
    await tx.run("INSERT INTO large (id, body) VALUES ($1, $2)", number, b"x" * 50_000)


async def _count_large(tx: Tx) -> int:
    row = await tx.one("SELECT count(*) FROM large")
    assert row is not None
    count: int = row[0]
    return count


_VERBS: dict[str, Callable[..., Awaitable[None]]] = {
    verb.__name__: verb for verb in (increment, hold, notify, insert_until_killed, fill_the_disk, start)
}


async def _main(verb: str, url: str, *args: str) -> None:
    database = await open_database(DatabaseSettings(url))
    try:
        await _VERBS[verb](database, *args)
    finally:
        await database.close()


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
