"""The state of an SQLite file, which changes with every commit and is read without a statement.

The processes that use one file share an index of its write-ahead log, in memory that each of them maps. The first 48
bytes (https://sqlite.org/walformat.html, "The WAL-Index Header") change with every commit, before it is acknowledged:
they have a counter, and the length, checksum and salts of the log. While they are the same, a read finds the same rows.
SQLite uses them to decide whether its own cache of pages is still valid.

We read them where SQLite has mapped them. We must not open the file ourselves: closing it would release every lock that
SQLite holds on that file in this process (POSIX).
"""

import ctypes
from pathlib import Path

_Header = ctypes.c_char * 48
_MAPPINGS = Path("/proc/self/maps")


def find_header(database: Path) -> "ctypes.Array[ctypes.c_char] | None":
    """The header of the log of an open file: `raw` has its present bytes, until the file is closed and it is unmapped.

    None if it is not mapped; then nothing can be remembered.
    """
    index = f"{database.resolve()}-shm"
    try:
        mappings = _MAPPINGS.read_text().splitlines()
    except (OSError, UnicodeError):
        return None
    for mapping in mappings:
        addresses, _, offset, _, _, *name = mapping.split(maxsplit=5)
        if name == [index] and int(offset, 16) == 0:
            return _Header.from_address(int(addresses.partition("-")[0], 16))
    return None
