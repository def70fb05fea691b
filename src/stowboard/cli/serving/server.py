"""One server process: the application behind Granian, in this process and on its event loop."""

import asyncio
import logging
import os
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path

import uvloop
from granian.server.embed import Server

from stowboard.app import ServerApplication
from stowboard.catalogue import QUEUES
from stowboard.cli.serving.measuring import keep_measuring
from stowboard.cli.serving.memory import reuse_memory
from stowboard.cli.serving.metrics_server import keep_file_fresh, serve_metrics
from stowboard.cli.serving.prepare import check_port, claim_data_folder, first_start, greeting, open_prepared
from stowboard.cli.serving.stopping import stop_on_signals
from stowboard.core import metrics
from stowboard.core.log import configure_logging
from stowboard.db.database import Database
from stowboard.db.open import open_database
from stowboard.http.granian.connections import ConnectionBound
from stowboard.http.granian.server import build_server
from stowboard.http.proxies import Proxies
from stowboard.settings import Settings

log = logging.getLogger("stowboard")


def serve_alone(settings: Settings) -> None:
    configure_logging(settings.log_level, settings.logs_for_people)
    with claim_data_folder(settings):
        check_port(settings)
        uvloop.run(_alone(settings))


def serve_as_child(settings: Settings, metrics_file: Path) -> None:
    """Serve as one of several processes, after the steps that the supervisor has done for all."""
    configure_logging(settings.log_level, settings.logs_for_people)
    uvloop.run(_as_child(settings, metrics_file))


async def _alone(settings: Settings) -> None:
    db = await open_prepared(settings)
    application = ServerApplication(settings, db)
    await application.start()
    # The first token is made last: it is shown only once, so nothing may fail between the two.
    print(greeting(settings, await first_start(settings, db)), flush=True)
    await _serve(application, settings, db, serve_metrics(settings, metrics.snapshot), asyncio.Event())


async def _as_child(settings: Settings, metrics_file: Path) -> None:
    db = await open_database(settings.database)
    application = ServerApplication(settings, db)
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
    application: ServerApplication,
    settings: Settings,
    db: Database,
    metrics_task: Coroutine[None, None, None],
    stop: asyncio.Event,
) -> None:
    reuse_memory()
    beside = [asyncio.create_task(metrics_task)]
    if settings.metrics_port:
        beside.append(asyncio.create_task(keep_measuring(db, QUEUES)))
    if settings.granian_shortcuts:
        proxies = application.services.use(Proxies)
        bound = ConnectionBound(settings.port, settings.crowd.connections_per_address, proxies)
        beside.append(asyncio.create_task(bound.keep()))
    server = build_server(application, settings.host, settings.port, settings.granian_shortcuts)
    stop_on_signals(stop)
    serving = asyncio.create_task(server.serve())
    await asyncio.wait([serving, asyncio.create_task(stop.wait())], return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        log.error("the server ended by itself", exc_info=serving.exception())
        os._exit(1)
    for task in beside:
        task.cancel()
    await _stop(application, server, serving, settings)


async def _stop(
    application: ServerApplication, server: Server, serving: asyncio.Task[None], settings: Settings
) -> None:
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
