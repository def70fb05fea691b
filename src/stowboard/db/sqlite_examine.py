"""SQLite's own check that a file is whole."""

import os
from pathlib import Path

import apsw

_LOCK_WAIT_MS = 10_000
_MOST_FINDINGS = 20


def examine(path: Path, *, quick: bool = False) -> list[str]:
    """The faults of the file; empty if it is whole. A quick check does not compare indexes with their tables."""
    try:
        connection = apsw.Connection(os.fspath(path), flags=apsw.SQLITE_OPEN_READWRITE)
    except apsw.Error as error:
        return [str(error)]
    try:
        connection.set_busy_timeout(_LOCK_WAIT_MS)
        return _ask(connection, "quick_check" if quick else "integrity_check")
    except (apsw.CorruptError, apsw.NotADBError, apsw.IOError) as error:
        return [str(error)]
    finally:
        connection.close()


def _ask(connection: apsw.Connection, check: str) -> list[str]:
    found = [str(row[0]) for row in connection.execute(f"PRAGMA {check}({_MOST_FINDINGS})")]
    if found == ["ok"]:
        found = []
    if check == "integrity_check":
        dangling = connection.execute("PRAGMA foreign_key_check").fetchall()
        found += [f"a row of {table} refers to one of {parent} that is not there" for table, _, parent, _ in dangling]
    return found
