"""Background work without a server."""

import asyncio
import logging
from contextlib import AsyncExitStack

import uvloop

from stowboard.app import build_services
from stowboard.catalogue import JOBS, PERIODICS
from stowboard.cli.on_database import open_current
from stowboard.cli.serving.prepare import require_video_encoder
from stowboard.cli.serving.stopping import stop_on_signals
from stowboard.core.log import configure_logging
from stowboard.events.sequencer import Sequencer
from stowboard.jobs.worker import Worker
from stowboard.notifications.hand_out import NotificationReader
from stowboard.settings import Settings
from stowboard.webhooks.fan_out import FanOut

log = logging.getLogger("stowboard")


def work_alone(settings: Settings) -> None:
    configure_logging(settings.log_level, settings.logs_for_people)
    uvloop.run(_work(settings))


async def _work(settings: Settings) -> None:
    await require_video_encoder(settings)
    db = await open_current(settings)
    closing = AsyncExitStack()
    closing.push_async_callback(db.close)
    services = await build_services(settings, db, closing)
    worker = Worker(db, services, JOBS, PERIODICS, settings.jobs)
    sequencer, readers = Sequencer(db), (FanOut(db), NotificationReader(db))
    stop = asyncio.Event()
    stop_on_signals(stop)
    worker.start()
    sequencer.start()
    for reader in readers:
        reader.start()
    log.info("working")
    await stop.wait()
    log.info("stopping: jobs that run may finish")
    await worker.stop(settings.stop_seconds)
    for reader in readers:
        await reader.stop()
    await sequencer.stop()
    await closing.aclose()
