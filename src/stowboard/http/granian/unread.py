"""Finds connections with bytes that their peers have not received, in the kernel's table of TCP connections.

Neither Granian nor ASGI says when an answer has been received. The kernel knows.
"""

import re
import socket
import sys
from functools import lru_cache
from pathlib import Path

_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
#: States of connections that are established, or closed by one side with bytes still to send. Not those that only wait
#: for their timer.
_ALIVE = b"01|04|08|09|0B"


def peers_of(port: int) -> dict[str, bool] | None:
    """The peers of open connections to a port, and True for those with unsent bytes; None if no table is readable."""
    line = re.compile(rb" [0-9A-F]+:%04X ([0-9A-F]+):([0-9A-F]{4}) (?:%b) ([0-9A-F]{8}):" % (port, _ALIVE))
    try:
        tables = [table.read_bytes() for table in _TABLES if table.exists()]
    except OSError:
        return None
    return {
        f"{_host(address)}:{int(number, 16)}": unread != b"00000000"
        for table in tables
        for address, number, unread in line.findall(table)
    }


@lru_cache(4096)
def _host(text: bytes) -> str:
    """The kernel writes words of 32 bits in the machine's own order."""
    words = [int(text[start : start + 8], 16) for start in range(0, len(text), 8)]
    raw = b"".join(word.to_bytes(4, sys.byteorder) for word in words)
    host = socket.inet_ntop(socket.AF_INET if len(raw) == 4 else socket.AF_INET6, raw)
    return f"[{host}]" if ":" in host else host
