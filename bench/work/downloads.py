"""Downloads: small ones by wrk, after one was compared, and a large one by a client that reads and drops the bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection

import httpx2

from bench.harness.crowd import for_seconds, measure, work_off
from bench.harness.figures import Contender, Sample, Void
from bench.harness.load import Load, wrk
from bench.harness.scratch import MIB
from bench.work.pictures import check_jpeg

_BLOCK = MIB


def same_bytes(url: str, pid: int, data: bytes) -> Contender:
    def compare(body: bytes) -> None:
        if hashlib.sha256(body).digest() != hashlib.sha256(data).digest():
            raise Void(f"{len(body)} bytes were answered that are not those that were uploaded")

    return _checked(url, pid, compare)


def same_picture(url: str, pid: int, width: int, height: int) -> Contender:
    return _checked(url, pid, lambda body: check_jpeg(body, width, height))


def _checked(url: str, pid: int, check: Callable[[bytes], None]) -> Contender:
    def turn(seconds: float) -> Sample:
        answer = httpx2.get(url, timeout=60)
        if answer.status_code != 200:
            raise Void(f"answered {answer.status_code}: {answer.text[:200]}")
        check(answer.content)
        return wrk(Load(url), pid, seconds)

    return turn


@dataclass(slots=True)
class LargeFile:
    """One connection, one download after the other. Lengths are always checked, the bytes once."""

    origin: str
    pid: int
    path: str
    size: int
    sha256: str
    _compared: bool = field(default=False, init=False)

    def __call__(self, seconds: float) -> Sample:
        if not self._compared:
            work_off(self.origin, 1, [0], self._compare)
            self._compared = True
        return measure(self.origin, self.pid, 1, for_seconds(seconds), self._drop, self.size / MIB)

    def _compare(self, connection: HTTPConnection, _: int) -> None:
        digest = hashlib.sha256()
        self._read(connection, digest.update)
        if digest.hexdigest() != self.sha256:
            raise Void("the bytes are not those that were uploaded")

    def _drop(self, connection: HTTPConnection, _: int) -> None:
        self._read(connection, lambda _: None)

    def _read(self, connection: HTTPConnection, take: Callable[[memoryview], object]) -> None:
        connection.request("GET", self.path)
        response = connection.getresponse()
        block, length = memoryview(bytearray(_BLOCK)), 0
        while count := response.readinto(block):
            take(block[:count])
            length += count
        if response.status != 200 or length != self.size:
            raise Void(f"answered {response.status} with {length} bytes instead of {self.size}")
