"""One server process: the application behind Granian, in this process and on its event loop."""

import asyncio
import logging
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import typer
import uvloop
from granian.constants import HTTPModes
from granian.http import HTTP1Settings
from granian.net import SocketSpec  # type: ignore[attr-defined]
from granian.server.embed import Server

from stowboard.app import Application, writes_for_people
from stowboard.catalogue import QUEUES
from stowboard.cli.measuring import keep_measuring
from stowboard.cli.memory import reuse_memory
from stowboard.cli.metrics_server import keep_file_fresh, serve_metrics
from stowboard.cli.prepare import check_port, claim_data_folder, first_start, greeting, open_prepared
from stowboard.core import metrics
from stowboard.core.log import configure_logging
from stowboard.db.database import Database
from stowboard.db.open import open_database
from stowboard.http.prompt import begin_requests_promptly
from stowboard.settings import Settings

HEADER_SECONDS = 10
#: A peer that takes no byte of its answer for so long is cut off.
UNREAD_SECONDS = 30
#: What the kernel takes of an answer before it can send it; what is on its way to a peer far away does not count.
MOST_UNSENT = 128 * 1024
#: What is read from a connection at a time: the longest headers, so a price in memory; and the chunks of a body, each
#: of which costs some 50 µs on its way through Granian and the event loop, however short it is.
LARGEST_READ = 256 * 1024
MOST_CONNECTIONS = 4096
#: For the database, files that are served, the log.
OTHER_FILES = 512
log = logging.getLogger("stowboard")


def serve_alone(settings: Settings) -> None:
    configure_logging(settings.log_level, writes_for_people(settings))
    with claim_data_folder(settings):
        check_port(settings)
        uvloop.run(_alone(settings))


def serve_as_child(settings: Settings, metrics_file: Path) -> None:
    """One of several processes that a supervisor has prepared the ground for."""
    configure_logging(settings.log_level, writes_for_people(settings))
    uvloop.run(_as_child(settings, metrics_file))


async def _alone(settings: Settings) -> None:
    db = await open_prepared(settings)
    application = Application(settings, db)
    await application.start()
    # Only now, when nothing is left that could go wrong before it is shown.
    typer.echo(greeting(settings, await first_start(settings, db)))
    await _serve(application, settings, db, serve_metrics(settings, metrics.snapshot), asyncio.Event())


async def _as_child(settings: Settings, metrics_file: Path) -> None:
    db = await open_database(settings.database)
    application = Application(settings, db)
    await application.start()
    stop = asyncio.Event()
    _when_supervisor_ends(stop.set)
    await _serve(application, settings, db, keep_file_fresh(metrics_file), stop)


def _when_supervisor_ends(stop: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()

    def at_end_of_input() -> None:
        loop.remove_reader(sys.stdin)
        stop()

    loop.add_reader(sys.stdin, at_end_of_input)


async def _serve(
    application: Application,
    settings: Settings,
    db: Database,
    metrics_task: Coroutine[None, None, None],
    stop: asyncio.Event,
) -> None:
    reuse_memory()
    measuring = [asyncio.create_task(metrics_task)]
    if settings.metrics_port:
        measuring.append(asyncio.create_task(keep_measuring(db, QUEUES)))
    begin_requests_promptly(application)
    server = _server(application, settings)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    serving = asyncio.create_task(server.serve())
    await asyncio.wait([serving, asyncio.create_task(stop.wait())], return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        log.error("the server ended by itself", exc_info=serving.exception())
        os._exit(1)
    for task in measuring:
        task.cancel()
    await _stop(application, server, serving, settings)


async def _stop(application: Application, server: Server, serving: asyncio.Task[None], settings: Settings) -> None:
    log.info("stopping: requests that run may finish")
    application.drain()
    await asyncio.sleep(settings.drain_seconds)
    give_up = time.monotonic() + settings.stop_seconds
    application.interrupt()
    server.stop()
    await asyncio.wait([serving], timeout=settings.stop_seconds)
    await application.stop(max(0.0, give_up - time.monotonic()))
    log.info("stopped")
    if not serving.done():
        log.warning("requests that still ran were given up")
        os._exit(0)  # the server's threads would wait for them


class _Server(Server):
    """Granian, with two more words to its listening socket, which connections inherit.

    This, too, rests on names inside of Granian; tests/faults/test_stalled_readers.py says when they are gone.
    """

    def _init_shared_socket(self) -> None:
        self._shd: Any = SocketSpec(self.bind_addr, self.bind_port, self.backlog).build()
        with socket.socket(fileno=os.dup(self._shd.get_fd())) as listening:
            # Also for a window that stays closed although the peer says that it is there (Linux 5.11).
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, MOST_UNSENT)


def _server(application: Application, settings: Settings) -> Server:
    return _Server(
        application,
        address=settings.host,
        port=settings.port,
        # With HTTP/2 on the same port, the deadline for headers would only begin with the first byte.
        http=HTTPModes.http1,
        websockets=False,
        backlog=1024,
        backpressure=_most_connections(),
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_SECONDS * 1000, max_buffer_size=LARGEST_READ),
        log_enabled=False,
    )


def _most_connections() -> int:
    """Fewer than the system lets us open: it would refuse an accept beyond that, which is tried again without end."""
    wanted = MOST_CONNECTIONS + OTHER_FILES
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY != allowed < wanted:
        allowed = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    if allowed == resource.RLIM_INFINITY or allowed >= wanted:
        return MOST_CONNECTIONS
    return max(allowed - OTHER_FILES, allowed // 2)
