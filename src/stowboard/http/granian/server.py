"""Granian as we start it: its limits, and two socket options that connections inherit.

`TunedServer` uses internal names of Granian; tests/faults/test_stalled_readers.py fails when they are gone.
"""

import os
import resource
import socket
from typing import Any

from granian.constants import HTTPModes
from granian.http import HTTP1Settings
from granian.net import SocketSpec  # type: ignore[attr-defined]
from granian.server.embed import Server

from stowboard.http.exchange import Service
from stowboard.http.granian.prompt import begin_requests_promptly

HEADER_SECONDS = 10
#: A peer that takes no byte of its answer for this long is cut off.
UNREAD_SECONDS = 30
#: Bytes of an answer that the kernel takes before it can send them; bytes on their way to a distant peer do not count.
MOST_UNSENT = 128 * 1024
#: Bytes that are read from a connection at a time. A larger value costs memory, since it is also the limit for the head
#: of a request. A smaller one costs time: each chunk of a body takes some 50 µs in Granian and the event loop, however
#: short it is.
LARGEST_READ = 256 * 1024
MOST_CONNECTIONS = 4096
#: Descriptors for the database, files that are served, and the log.
OTHER_FILES = 512


class TunedServer(Server):
    """Granian with two options on its listening socket."""

    def _init_shared_socket(self) -> None:
        self._shd: Any = SocketSpec(self.bind_addr, self.bind_port, self.backlog).build()
        with socket.socket(fileno=os.dup(self._shd.get_fd())) as listening:
            # It also ends a connection whose peer answers but never opens its receive window (Linux 5.11).
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, MOST_UNSENT)


def build_server(service: Service, host: str, port: int, shortcuts: bool) -> Server:
    """The server of this process. Without `shortcuts` it is Granian as it comes."""
    if shortcuts:
        begin_requests_promptly(service)
    return (TunedServer if shortcuts else Server)(
        service,
        address=host,
        port=port,
        # With HTTP/2 on the same port, the deadline for headers would only begin with the first byte.
        http=HTTPModes.http1,
        websockets=False,
        backlog=1024,
        backpressure=_most_connections(),
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_SECONDS * 1000, max_buffer_size=LARGEST_READ),
        log_enabled=False,
    )


def _most_connections() -> int:
    """Fewer than the system lets us open: Granian would retry a refused accept without end."""
    wanted = MOST_CONNECTIONS + OTHER_FILES
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY != allowed < wanted:
        allowed = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    if allowed == resource.RLIM_INFINITY or allowed >= wanted:
        return MOST_CONNECTIONS
    return max(allowed - OTHER_FILES, allowed // 2)
