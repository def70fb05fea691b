"""A file that is not yet a blob: written beside its place, fsynced, then renamed into it."""

import hashlib
import os
import re
import secrets
import threading
from collections.abc import Callable
from pathlib import Path

from stowboard.blobs.store import WrittenBlob
from stowboard.blobs.writing import write_chunks
from stowboard.core.folders import fsync_folder

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
_NAME = re.compile(r"\.(\w+)\.[0-9a-f]{8}")


class BlobDraft:
    """The lock is for cancellation: `discard` may run while a thread still writes."""

    def __init__(self, target: Path, sha256: str | None = None) -> None:
        """`sha256` is that of the bytes to come, if it is known; otherwise it is worked out while they are written."""
        self.folder = target.parent
        self._target = target
        self._path = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
        self._file: int | None = None
        self._discarded = False
        self._known, self._digest = sha256, hashlib.sha256()
        self._size = 0
        self._lock = threading.Lock()

    def open(self) -> None:
        with self._lock:
            if not self._discarded:
                self._file = os.open(self._path, _NEW, 0o600)

    def write(self, chunks: list[bytes]) -> None:
        with self._lock:
            if self._file is None:
                return
            if self._known is None:
                for chunk in chunks:
                    self._digest.update(chunk)
            self._size = write_chunks(self._file, chunks, self._size)

    def publish(self, prepare: Callable[[Path], None]) -> WrittenBlob:
        """`prepare` makes the folder durable, which costs least right after the file's fsync."""
        with self._lock:
            assert self._file is not None
            os.fsync(self._file)
            self._close()
            prepare(self.folder)
            self._path.replace(self._target)
            fsync_folder(self.folder)
            return WrittenBlob(self._size, self._known or self._digest.hexdigest())

    def discard(self) -> None:
        with self._lock:
            self._discarded = True
            if self._file is not None:
                self._close()
            self._path.unlink(missing_ok=True)

    def _close(self) -> None:
        assert self._file is not None
        os.close(self._file)
        self._file = None


def name_of_draft(filename: str) -> str | None:
    """The name of the blob that the draft was for; None if the file is not a draft."""
    match = _NAME.fullmatch(filename)
    return match[1] if match else None
