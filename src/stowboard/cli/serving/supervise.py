"""Several server processes on one port: started, watched, replaced when one dies, stopped together.

Each is this same command with a hidden option. They share the listening port, so the kernel spreads connections.
The supervisor holds the other end of their standard input: if it is killed, that closes, and they stop as well.
"""

import asyncio
import contextlib
import logging
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from pathlib import Path

import uvloop

from stowboard.cli.serving.metrics_server import keep_counts, serve_metrics, sum_of_files
from stowboard.cli.serving.prepare import check_port, claim_data_folder, first_start, greeting, open_prepared
from stowboard.cli.serving.stopping import stop_on_signals
from stowboard.core.log import configure_logging
from stowboard.settings import Settings

RESTART_SECONDS = 1.0
#: Seconds that a process may take to stop beyond those that it was given.
GRACE_SECONDS = 10.0
log = logging.getLogger("stowboard")


def supervise(settings: Settings) -> None:
    configure_logging(settings.log_level, settings.logs_for_people)
    with claim_data_folder(settings), tempfile.TemporaryDirectory(prefix="stowboard-") as folder:
        check_port(settings)
        uvloop.run(_supervise(settings, Path(folder)))


async def _supervise(settings: Settings, folder: Path) -> None:
    db = await open_prepared(settings)
    first = await first_start(settings, db)
    await db.close()
    stop = asyncio.Event()
    stop_on_signals(stop)
    measuring = asyncio.create_task(serve_metrics(settings, lambda: sum_of_files(folder)))
    keepers = [asyncio.create_task(_keep_alive(folder / f"{n}.json", stop, settings)) for n in range(settings.workers)]
    print(greeting(settings, first), flush=True)
    await asyncio.gather(*keepers)
    measuring.cancel()


async def _keep_alive(metrics_file: Path, stop: asyncio.Event, settings: Settings) -> None:
    """One process after another, until the stop."""
    while not stop.is_set():
        command = [sys.executable, "-m", "stowboard", *sys.argv[1:], "--metrics-file", str(metrics_file)]
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, start_new_session=True)
        ended = asyncio.create_task(process.wait())
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait([ended, stopping], return_when=asyncio.FIRST_COMPLETED)
        if stop.is_set():
            await _end(process, settings.drain_seconds + settings.stop_seconds + GRACE_SECONDS)
        else:
            stopping.cancel()
            log.error("a server process died and is replaced", extra={"pid": process.pid, "code": process.returncode})
            keep_counts(metrics_file)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), RESTART_SECONDS)


async def _end(process: Process, seconds: float) -> None:
    with contextlib.suppress(ProcessLookupError):  # it has just ended by itself
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), seconds)
    except TimeoutError:
        log.error("a server process did not stop in time and is killed", extra={"pid": process.pid})
        process.kill()
        await process.wait()
