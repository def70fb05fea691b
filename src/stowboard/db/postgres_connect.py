"""Connects to the PostgreSQL server that takes writes.

A URL may name several servers, `postgresql://user@a:5432,b:5432/name`; one of them at a time is the primary. They are
tried one after the other, first the one that was the primary last. asyncpg can do this too, but has one time limit for
all of them: a silent server would use it up before the next one is tried.

A primary that hung may come back after another one took its place, and answer with old rows until it is told. So when
another server turns out to be the primary, `moved` is called, to drop all connections to the one before.
"""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

import asyncpg

from stowboard.core.settings.values import url_of_each_host
from stowboard.db.postgres_errors import DRIVER_ERRORS
from stowboard.db.postgres_pool import Connection


class PostgresServers:
    def __init__(self, url: str, seconds: float, moved: Callable[[], None] | None = None) -> None:
        """`seconds` is the time for opening a connection; the servers share it evenly."""
        self._moved = moved
        self._urls: Final = url_of_each_host(url)
        self._seconds = seconds / len(self._urls)

    async def connect(self, server_settings: dict[str, str], **options: Any) -> Connection:
        """A connection to the primary. If no server is one, raises the error of the last one tried (DRIVER_ERRORS)."""
        failure: Exception | None = None
        for url in tuple(self._urls):
            try:
                connection: Connection = await asyncpg.connect(  # type: ignore[no-untyped-call]
                    url,
                    timeout=self._seconds,
                    target_session_attrs="primary",
                    server_settings={"application_name": "stowboard", **server_settings},
                    **options,
                )
            except DRIVER_ERRORS as error:
                failure = error
                continue
            if url != self._urls[0]:
                self._urls.remove(url)
                self._urls.insert(0, url)
                if self._moved is not None:
                    self._moved()
            return connection
        assert failure is not None
        raise failure


def addresses(url: str) -> list[str]:
    """The servers that the URL names, each as `host:port`."""
    hosts = urlsplit(url).netloc.rpartition("@")[2].split(",")
    return [host if host.rpartition("]")[2].count(":") else f"{host}:5432" for host in hosts]
