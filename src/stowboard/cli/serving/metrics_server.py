"""Prometheus metrics on a port of their own, for one process or for the sum of several."""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path

import msgspec

from stowboard.core.metrics import MetricFamily, merged, render, snapshot
from stowboard.settings import Settings

WRITE_SECONDS = 1.0
READ_SECONDS = 5.0
_decode = msgspec.json.Decoder(list[MetricFamily]).decode


async def serve_metrics(settings: Settings, collect: Callable[[], list[MetricFamily]]) -> None:
    """Answer `GET /metrics` until cancelled; nothing at all if the port is 0."""
    if settings.metrics_port == 0:
        return

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(READ_SECONDS):
                request = await reader.readline()
                while (await reader.readline()).strip():
                    pass
            writer.write(_response(request, collect))
            await writer.drain()
        except (TimeoutError, ConnectionError, ValueError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(answer, settings.metrics_host, settings.metrics_port)
    async with server:
        await server.serve_forever()


async def keep_file_fresh(file: Path) -> None:
    """Write the metrics of this process once a second, for the supervisor to add up."""
    while True:
        draft = file.with_suffix(".draft")
        with contextlib.suppress(OSError):  # no room at the moment: the file is a second older than it should be
            draft.write_bytes(msgspec.json.encode(snapshot()))
            draft.rename(file)
        await asyncio.sleep(WRITE_SECONDS)


def keep_counts(file: Path) -> None:
    """Keep the counts of a process that has ended, so that the sums never fall; its gauges go."""
    past = file.with_name("past.json")
    families = merged(_decode(each.read_bytes()) for each in (past, file) if each.exists())
    past.write_bytes(msgspec.json.encode([family for family in families if family.kind != "gauge"]))
    file.unlink(missing_ok=True)


def sum_of_files(folder: Path) -> list[MetricFamily]:
    return merged(_decode(file.read_bytes()) for file in folder.glob("*.json"))


def _response(request: bytes, collect: Callable[[], list[MetricFamily]]) -> bytes:
    if not request.startswith((b"GET /metrics ", b"HEAD /metrics ")):
        return b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    body = render(collect()).encode()
    head = (
        "HTTP/1.1 200 OK\r\ncontent-type: text/plain; version=0.0.4\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + (b"" if request.startswith(b"HEAD") else body)
