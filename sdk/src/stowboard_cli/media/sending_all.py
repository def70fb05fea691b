"""Many files to the server, several at once, and each content once.

Files are hashed here, batch after batch, and the server is asked which of them it has. Meanwhile threads send the files
that it does not have. Of several files with the same bytes one is sent; the others count as present.
"""

import os
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from stowboard_cli.exits import INTERRUPTED, OK, PARTLY, CommandFailure, failure_of
from stowboard_cli.media.found_files import LocalFile
from stowboard_cli.media.present import batches, find_present
from stowboard_cli.media.sending import Wishes, checksum_of, send
from stowboard_cli.output.harmless import tell
from stowboard_cli.output.progress import Progress
from stowboard_cli.output.table import size
from stowboard_cli.stow import Stow
from stowboard_client import Asset, StowboardError

_COLUMNS = ["outcome", "id", "filename", "url"]


def send_all(stow: Stow, files: Sequence[LocalFile], wishes: Wishes, jobs: int) -> int:
    """Send the files; returns the exit code. Failures have been reported."""
    progress = Progress(len(files), sum(file.size for file in files), stow.quiet)
    sending = _Sending(stow, wishes, progress, ThreadPoolExecutor(max(1, jobs)))
    try:
        for batch in batches(files):
            sending.begin(batch)
        sending.finish()
    except KeyboardInterrupt:
        progress.end()
        tell("Stopped. The same command goes on where it was.")
        os._exit(INTERRUPTED)  # the threads are in the middle of a piece, and nobody waits for them
    finally:
        progress.end()
    return sending.code()


class _Content(NamedTuple):
    """Files with equal bytes, which are sent once; with --again, each file by itself."""

    checksum: str
    path: Path | None


class _Sending:
    def __init__(self, stow: Stow, wishes: Wishes, progress: Progress, pool: ThreadPoolExecutor) -> None:
        self._stow, self._wishes, self._progress, self._pool = stow, wishes, progress, pool
        self._client = stow.client
        #: Running uploads, and the files that each of them is for.
        self._begun: dict[_Content, Future[Asset]] = {}
        self._files: dict[_Content, list[LocalFile]] = {}
        self._sent: list[LocalFile] = []
        self._skipped: list[LocalFile] = []
        self._failures: list[CommandFailure] = []
        #: On a terminal: the rows of one table at the end.
        self._shown: list[dict[str, Any]] = []

    def begin(self, batch: Sequence[LocalFile]) -> None:
        """Send those of the batch that the server does not have."""
        hashed = self._hashed(batch)
        try:
            present = {} if self._wishes.again else find_present(self._client, [one.checksum for one in hashed])
        except (StowboardError, CommandFailure) as error:
            for file in chain.from_iterable(hashed.values()):
                self._failed(file, error)
            return
        for content, files in hashed.items():
            if content.checksum in present:
                self._present(files, present[content.checksum])
            elif content in self._begun:
                self._files[content] += files
            else:
                self._files[content] = files
                self._begun[content] = self._pool.submit(self._send, files[0], content.checksum)
        self._report()

    def finish(self) -> None:
        while self._begun:
            wait(self._begun.values(), return_when=FIRST_COMPLETED)
            self._report()
        self._pool.shutdown()
        self._progress.end()
        if self._shown:
            self._stow.list(self._shown, _COLUMNS)
        if self._skipped:
            spared = size(sum(file.size for file in self._skipped))
            self._stow.say(
                f"{len(self._sent)} sent; {len(self._skipped)} skipped, as there already: {spared} not sent."
            )

    def code(self) -> int:
        if self._failures:
            return PARTLY if self._sent or self._skipped else self._failures[0].code
        return OK

    def _hashed(self, batch: Sequence[LocalFile]) -> dict[_Content, list[LocalFile]]:
        hashed: dict[_Content, list[LocalFile]] = {}
        for file in batch:
            try:
                content = _Content(checksum_of(file.path), file.path if self._wishes.again else None)
                hashed.setdefault(content, []).append(file)
            except OSError as error:
                self._failed(file, error)
        return hashed

    def _send(self, file: LocalFile, checksum: str) -> Asset:
        reached = self._progress.reached
        return send(self._client, file, checksum, self._wishes, lambda sent: reached(str(file.path), sent))

    def _report(self) -> None:
        """Show the uploads that have ended since the last call."""
        for content in [content for content, future in self._begun.items() if future.done()]:
            future, [first, *others] = self._begun.pop(content), self._files.pop(content)
            error = future.exception()
            if error is None:
                self._sent.append(first)
                self._show(first, "uploaded", future.result())
                self._present(others, future.result())
            else:
                for file in (first, *others):
                    self._failed(file, error)

    def _present(self, files: Sequence[LocalFile], asset: Asset) -> None:
        for file in files:
            self._skipped.append(file)
            self._show(file, "present", asset)

    def _show(self, file: LocalFile, outcome: str, asset: Asset) -> None:
        self._progress.finished(str(file.path), outcome, file.size)
        shown = {"outcome": outcome, "path": str(file.path), **msgspec.to_builtins(asset)}
        if self._stow.printer.as_table:
            self._shown.append(shown)
        else:
            self._stow.list([shown], _COLUMNS)

    def _failed(self, file: LocalFile, error: BaseException) -> None:
        failure = failure_of(error) if isinstance(error, Exception) else None
        if failure is None:
            raise error
        self._failures.append(failure)
        tell(f"stow: {file.path}: {failure}")
