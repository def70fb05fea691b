"""One server process: the application behind Granian, in this process and on its event loop."""

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Coroutine
from pathlib import Path

import typer
import uvloop
from granian.http import HTTP1Settings
from granian.server.embed import Server

from stowboard.app import Application, writes_for_people
from stowboard.cli.metrics_server import keep_file_fresh, serve_metrics
from stowboard.cli.prepare import check_port, claim_data_folder, first_secret, greeting, open_prepared
from stowboard.core import metrics
from stowboard.core.log import configure_logging
from stowboard.db.open import open_database
from stowboard.settings import Settings

HEADER_SECONDS = 10
LARGEST_HEADERS = 64 * 1024
MOST_CONNECTIONS = 4096
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
    typer.echo(greeting(settings, await first_secret(settings, db)))
    await _serve(application, settings, serve_metrics(settings, metrics.snapshot))


async def _as_child(settings: Settings, metrics_file: Path) -> None:
    application = Application(settings, await open_database(settings.database))
    await application.start()
    await _serve(application, settings, keep_file_fresh(metrics_file))


async def _serve(application: Application, settings: Settings, metrics_task: Coroutine[None, None, None]) -> None:
    measuring = asyncio.create_task(metrics_task)
    server = _server(application, settings)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    serving = asyncio.create_task(server.serve())
    await asyncio.wait([serving, asyncio.create_task(stop.wait())], return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        log.error("the server ended by itself", exc_info=serving.exception())
        os._exit(1)
    await _stop(application, server, serving, settings)
    measuring.cancel()


async def _stop(application: Application, server: Server, serving: asyncio.Task[None], settings: Settings) -> None:
    log.info("stopping: requests that run may finish")
    application.health.draining = True
    server.stop()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(settings.stop_seconds):
            await serving
    await application.stop()
    log.info("stopped")


def _server(application: Application, settings: Settings) -> Server:
    return Server(
        application,
        address=settings.host,
        port=settings.port,
        websockets=False,
        backlog=1024,
        backpressure=MOST_CONNECTIONS,
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_SECONDS * 1000, max_buffer_size=LARGEST_HEADERS),
        log_enabled=False,
    )
