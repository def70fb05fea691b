"""A few connections that share a list of jobs: the client where wrk cannot check an answer or change a request.

Each connection has a thread and does one job at a time, so this is a closed loop as wrk's is. Threads wait in the
kernel most of the time; what a job does in Python between its bytes counts against whoever is measured, and has to be
little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException, HTTPResponse
from itertools import count
from pathlib import Path
from statistics import quantiles
from threading import Lock
from typing import TypeVar
from urllib.parse import urlsplit

from bench.harness.figures import Sample, Void
from bench.harness.processes import cpu_seconds, memory_mb

J = TypeVar("J")
TIMEOUT_SECONDS = 120.0
#: With fewer answers, percentiles say nothing.
ENOUGH = 20


def measure(
    origin: str,
    pid: int,
    connections: int,
    jobs: Iterable[J],
    do: Callable[[HTTPConnection, J], None],
    units: float = 1.0,
) -> Sample:
    """Do all jobs, each worth so many units. Raises Void if one fails."""
    before, began = cpu_seconds(pid), time.perf_counter()
    took = work_off(origin, connections, jobs, do)
    seconds, spent = time.perf_counter() - began, cpu_seconds(pid) - before
    if not took:
        raise Void("nothing was answered")
    done = len(took) * units
    cuts = quantiles(took, n=100, method="inclusive") if len(took) >= ENOUGH else None
    return Sample(
        rate=done / seconds,
        p50_ms=cuts[49] * 1000 if cuts else None,
        p99_ms=cuts[98] * 1000 if cuts else None,
        cpu_us=spent / done * 1e6,
        memory_mb=memory_mb(pid),
    )


def work_off(origin: str, connections: int, jobs: Iterable[J], do: Callable[[HTTPConnection, J], None]) -> list[float]:
    """The seconds that each job took. Raises Void if one fails."""
    shared = _Shared(jobs)
    with ThreadPoolExecutor(connections) as threads:
        futures = [threads.submit(_work, origin, shared, do) for _ in range(connections)]
    return [seconds for future in futures for seconds in future.result()]


def for_seconds(seconds: float) -> Iterator[int]:
    """Jobs that are mere numbers, as many as can be begun in this time."""
    deadline = time.perf_counter() + seconds
    for number in count():
        if time.perf_counter() > deadline:
            return
        yield number


def answer_of(connection: HTTPConnection, status: int) -> tuple[HTTPResponse, bytes]:
    """The answer, read to its end. Raises Void for another status."""
    response = connection.getresponse()
    body = response.read()
    if response.status != status:
        raise Void(f"{response.status} instead of {status}: {body[:200]!r}")
    return response, body


def send_file(
    connection: HTTPConnection, method: str, path: str, headers: Mapping[str, str], file: Path, span: range
) -> None:
    """A request whose body is a part of a file, which the kernel sends by itself."""
    connection.putrequest(method, path)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.putheader("content-length", str(len(span)))
    connection.endheaders()
    with file.open("rb") as body:
        connection.sock.sendfile(body, span.start, len(span))


class _Shared(Iterator[J]):
    """Jobs for many threads."""

    def __init__(self, jobs: Iterable[J]) -> None:
        self._jobs, self._lock = iter(jobs), Lock()

    def __next__(self) -> J:
        with self._lock:
            return next(self._jobs)


def _work(origin: str, jobs: Iterator[J], do: Callable[[HTTPConnection, J], None]) -> list[float]:
    took = []
    connection = HTTPConnection(urlsplit(origin).netloc, timeout=TIMEOUT_SECONDS)
    try:
        for job in jobs:
            began = time.perf_counter()
            do(connection, job)
            took.append(time.perf_counter() - began)
    except (OSError, HTTPException) as error:
        raise Void(f"{type(error).__name__}: {error}") from error
    finally:
        connection.close()
    return took
