"""Free ports of the loopback.

They are below those that the system gives away, and each worker of a run has its own: nobody takes one between its
choice and its use.
"""

import os
import random
import socket
from collections.abc import Iterator

_FIRST = 10_000
_OF_EACH_WORKER = 1_000
_WORKERS = 10
#: Some servers listen on a second port, which is the first + this; nobody else chooses one there.
TWIN = _WORKERS * _OF_EACH_WORKER
#: The one port among them that browsers open no page at.
_REFUSED = 10080


def free_port() -> int:
    return next(port for port in _ports if port != _REFUSED and _is_free(port) and _is_free(port + TWIN))


def _endless() -> Iterator[int]:
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _WORKERS
    first = _FIRST + worker * _OF_EACH_WORKER
    # Anywhere, since another run may be under way on this machine.
    turn = random.randrange(_OF_EACH_WORKER)
    while True:
        yield first + turn
        turn = (turn + 1) % _OF_EACH_WORKER


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


_ports = _endless()
