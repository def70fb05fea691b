"""Resumable uploads: one large file, as one request and in pieces, and many small ones.

A turn is one upload of the large file, or all the small ones, however many seconds that takes. Creation is part of it.
Before a turn the disk has nothing left to do, so nobody pays for what another left in memory; after it every upload is
asked for its offset, and is deleted. In the warm-up the stored bytes are read and compared.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path

from bench.harness.crowd import measure, work_off
from bench.harness.figures import OURS, Asked, Contender, Row, Sample, Void
from bench.harness.install import Missing
from bench.harness.progress import Progress
from bench.harness.scratch import MIB, random_file, require_room, sha256_of
from bench.harness.servers import UNLIMITED, Server
from bench.peers import tus_server
from bench.work.tus_client import TusServer, check, ours, terminate, theirs, upload

TITLE = "Resumable uploads"
SECONDS = 240
QUICK_SECONDS = 30
LARGE, QUICK_LARGE = 1024 * MIB, 128 * MIB
PIECE = 8 * MIB
SMALL, SMALL_FILES, CONNECTIONS = MIB, 200, 8
GONE_SECONDS = 10.0
ASKED = (Asked(tus_server.FSYNCED, 1.5, must=True),)


@contextmanager
def rows(folder: Path, progress: Progress, quick: bool) -> Iterator[list[Row]]:
    size = QUICK_LARGE if quick else LARGE
    require_room(folder, 1 + 3 * size // LARGE)
    with ExitStack() as stack:
        progress.say("TUS: starting")
        file = folder / "file"
        random_file(file, max(size, SMALL * SMALL_FILES))
        servers, missing = _start_all(folder, stack)
        large, small, label = [range(size)], _small_spans(), "128 MiB" if quick else "1 GiB"
        yield [
            _row(f"{label} in one PATCH", servers, missing, Work(file, large, size), quick),
            _row(f"{label} in PATCHes of 8 MiB", servers, missing, Work(file, large, PIECE), quick),
            _row(f"{SMALL_FILES} x 1 MiB", servers, missing, Work(file, small, SMALL), quick),
        ]


@dataclass(frozen=True, slots=True)
class Work:
    """Parts of a file, each of them an upload in pieces of this size."""

    file: Path
    spans: list[range]
    piece: int


def _small_spans() -> list[range]:
    return [range(start, start + SMALL) for start in range(0, SMALL * SMALL_FILES, SMALL)]


def _start_all(folder: Path, stack: ExitStack) -> tuple[dict[str, TusServer], tuple[str, ...]]:
    server = Server(folder / "ours", UNLIMITED).start()
    stack.callback(server.stop)
    servers, missing = {OURS: ours(server)}, []
    for name, fsync in ((tus_server.FSYNCED, True), (tus_server.NAME, False)):
        uploads = folder / ("fsynced" if fsync else "plain")
        try:
            peer = tus_server.start(folder, uploads, fsync=fsync)
        except Missing as reason:
            missing.append(f"{name}: {reason}")
        else:
            stack.callback(peer.stop)
            servers[name] = theirs(peer, uploads)
    return servers, tuple(missing)


def _row(work: str, servers: dict[str, TusServer], missing: tuple[str, ...], each: Work, quick: bool) -> Row:
    contenders: dict[str, Contender] = {name: Turn(server, each) for name, server in servers.items()}
    note = (
        "Stowboard has every PATCH on the disk before it answers; the fsynced peer has the file there at the end of the"
        " upload, the plain one never asks."
    )
    return Row(work, "MiB/s", contenders, ASKED, missing, rounds=1 if quick else 3, note=note)


@dataclass(slots=True)
class Turn:
    """One contender's. It keeps in mind whether the bytes were compared."""

    server: TusServer
    work: Work
    _compared: bool = field(default=False, init=False)

    def __call__(self, _seconds: float) -> Sample:
        os.sync()
        paths: list[str] = []
        sample = self._upload(paths)
        self._ask(paths, lambda connection, path: check(connection, path, self._size))
        if not self._compared:
            self._compare()
        self._ask(paths, terminate)
        self._wait_until_gone()
        return sample

    @property
    def _size(self) -> int:
        return len(self.work.spans[0])

    def _upload(self, paths: list[str]) -> Sample:
        def send(connection: HTTPConnection, span: range) -> None:
            paths.append(upload(connection, self.server, self.work.file, span, self.work.piece))

        connections = min(CONNECTIONS, len(self.work.spans))
        return measure(self.server.origin, self.server.pid, connections, self.work.spans, send, self._size / MIB)

    def _ask(self, paths: list[str], do: Callable[[HTTPConnection, str], None]) -> None:
        work_off(self.server.origin, CONNECTIONS, paths, do)

    def _compare(self) -> None:
        sent = {sha256_of(self.work.file, span) for span in self.work.spans}
        if sent - {sha256_of(path, range(self._size)) for path in self._stored()}:
            raise Void("the stored bytes are not those that were sent")
        self._compared = True

    def _wait_until_gone(self) -> None:
        deadline = time.monotonic() + GONE_SECONDS
        while any(True for _ in self._stored()):
            if time.monotonic() > deadline:
                raise Void(f"terminated uploads are still on the disk after {GONE_SECONDS:.0f} seconds")
            time.sleep(0.05)

    def _stored(self) -> Iterator[Path]:
        """Files as large as an upload is; nothing else in these folders is likely to be."""
        for path in self.server.stored.rglob("*"):
            with suppress(FileNotFoundError):
                if path.stat().st_size == self._size and path.is_file():
                    yield path
