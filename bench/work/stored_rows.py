"""Rows of an installation on SQLite, read and written past the service."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import apsw

from bench.harness.servers import Server

_LOCK_WAIT_MS = 10_000


def write_rows(server: Server, sql: str, values: Sequence[Sequence[Any]]) -> None:
    """All of them in one transaction."""
    connection = _connect(server)
    try:
        with connection:
            connection.executemany(sql, values)
    finally:
        connection.close()


def read_value(server: Server, sql: str) -> Any:
    """The first column of the first row; None without one."""
    connection = _connect(server)
    try:
        return connection.execute(sql).get
    finally:
        connection.close()


def _connect(server: Server) -> apsw.Connection:
    connection = apsw.Connection(str(server.data_dir / "stowboard.db"))
    connection.set_busy_timeout(_LOCK_WAIT_MS)
    return connection
