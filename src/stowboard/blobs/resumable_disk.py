"""Bytes on their way as one file, `root/.uploading/kind-shard-ulid`, that is renamed into its place at the end.

A writer holds the file's lock (flock) while the file is open, so an older writer cannot write while a newer one does.
The lock is on the file and not on its name: after locking, the name is checked again, since the last holder may have
made a blob of the file.

The disk begins to write bytes as soon as they arrive, so that the final sync waits for little.
Small files go through the kernel's cache, since they are looked at soon; large ones past it (`direct`).
"""

import fcntl
import os
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

from stowboard.blobs.direct import DirectFile
from stowboard.blobs.keys import BlobKey
from stowboard.blobs.resumable import BytesLost, DurableBytes, GrowingBlob, UploadBusy, UploadFinished
from stowboard.blobs.writing import write_chunks
from stowboard.core.folders import fsync_folder, make_private_ones

T = TypeVar("T")

FOLDER = ".uploading"

#: Calls it in a thread, and translates the errors of the disk.
Run: TypeAlias = Callable[..., Awaitable[Any]]
#: Makes a folder that lasts. Called in a thread.
Prepare: TypeAlias = Callable[[Path], None]


def draft_path(root: Path, key: BlobKey) -> Path:
    return root / FOLDER / key.replace("/", "-")


class DiskAppender:
    """The lock is for cancellation: `close` may run while a thread still writes."""

    def __init__(
        self, growing: GrowingBlob, draft: Path, target: Path, run: Run, prepare: Prepare, *, direct: bool
    ) -> None:
        self._draft, self._target = draft, target
        self._in_thread, self._prepare = run, prepare
        self._size = growing.size
        #: True if a power cut may still remove the file's entry from its folder.
        self._new = growing.size == 0
        self._file: int | None = None
        self._is_direct = direct
        self._direct: DirectFile | None = None
        self._closed = False
        self._lock = threading.Lock()

    async def open(self) -> None:
        await self._run(self._open)

    async def write(self, chunks: list[bytes]) -> None:
        await self._run(self._write, chunks)

    async def keep(self, chunks: list[bytes]) -> DurableBytes:
        return await self._run(self._keep, chunks)

    async def finish(self, chunks: list[bytes]) -> None:
        await self._run(self._finish, chunks)

    async def close(self) -> None:
        if not self._closed:
            await self._run(self._close)

    async def _run(self, call: Callable[..., T], *args: object) -> T:
        return cast(T, await self._in_thread(self._alone, call, *args))

    def _alone(self, call: Callable[..., Any], *args: Any) -> Any:
        with self._lock:
            return None if self._closed else call(*args)

    @property
    def _fileno(self) -> int:
        assert self._file is not None
        return self._file

    def _open(self) -> None:
        while self._file is None:
            file = self._open_existing()
            if file is None:
                file = self._create()
            if file is not None and self._is_ours(file):
                self._file = file
        if self._is_direct:
            self._direct = DirectFile(self._file)

    def _open_existing(self) -> int | None:
        with suppress(FileNotFoundError):
            return os.open(self._draft, os.O_RDWR | os.O_CLOEXEC)
        with suppress(FileNotFoundError):
            raise UploadFinished(self._target.stat().st_size)
        if self._size:
            raise BytesLost
        return None

    def _create(self) -> int | None:
        self._prepare(self._draft.parent)
        with suppress(FileExistsError):  # another one was faster: its file is opened next
            return os.open(self._draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        return None

    def _is_ours(self, file: int) -> bool:
        """Lock it; False if it has lost its name meanwhile."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_named = self._is_named(file)
            if is_named and os.fstat(file).st_size < self._size:
                raise BytesLost
        except BlockingIOError:
            os.close(file)
            raise UploadBusy from None
        except BaseException:
            os.close(file)
            raise
        if not is_named:
            os.close(file)
        return is_named

    def _is_named(self, file: int) -> bool:
        try:
            return os.path.samestat(os.fstat(file), self._draft.stat())
        except FileNotFoundError:
            return False

    def _write(self, chunks: list[bytes]) -> None:
        if self._direct is not None:
            self._size = self._direct.write(chunks, self._size)
        else:
            self._size = write_chunks(self._fileno, chunks, self._size)

    def _keep(self, chunks: list[bytes]) -> DurableBytes:
        self._write(chunks)
        os.fdatasync(self._fileno)
        if self._new:
            fsync_folder(self._draft.parent)
            self._new = False
        return DurableBytes(self._size)

    def _finish(self, chunks: list[bytes]) -> None:
        self._write(chunks)
        if os.fstat(self._fileno).st_size != self._size:  # bytes of a writer that was superseded
            os.ftruncate(self._fileno, self._size)
        make_private_ones(self._target.parent, levels=2)
        os.fsync(self._fileno)
        self._prepare(self._target.parent)
        self._draft.replace(self._target)
        fsync_folder(self._target.parent)
        self._close()

    def _close(self) -> None:
        self._closed = True
        if self._direct is not None:
            self._direct.close()
        if self._file is not None:
            os.close(self._file)
            self._file = None
