"""The state of an SQLite file, which changes with every commit and is read without a statement.

The processes that use one file share an index of its write-ahead log, in memory that each of them maps. The first 48
bytes (https://sqlite.org/walformat.html, "The WAL-Index Header") are new with every commit, before it is acknowledged:
a counter, and the length, checksum and salts of the log. While they are as they were, a read would find what it found.
SQLite decides by them whether its own cache of pages still holds.

They are looked at where SQLite has mapped them. A descriptor of our own would do harm: closing it gives up every lock
that SQLite holds on that file in this process (POSIX).
"""

import ctypes
from pathlib import Path

_HEADER_BYTES = 48
_Header = ctypes.c_char * _HEADER_BYTES
_MAPPINGS = Path("/proc/self/maps")


class LogHeader:
    """The header of the log of a file that this process has open. Its memory goes when the file is closed."""

    def __init__(self, address: int) -> None:
        self._header = _Header.from_address(address)

    def now(self) -> bytes:
        return self._header.raw


def find_header(database: Path) -> LogHeader | None:
    """None where it cannot be found, so that nobody believes in a header that tells nothing."""
    index = f"{database.resolve()}-shm"
    try:
        mappings = _MAPPINGS.read_text().splitlines()
    except (OSError, UnicodeError):
        return None
    for mapping in mappings:
        addresses, _, offset, _, _, *name = mapping.split(maxsplit=5)
        if name == [index] and int(offset, 16) == 0:
            return LogHeader(int(addresses.partition("-")[0], 16))
    return None
