"""The buckets of one host: a table in shared memory that every process maps, exact across all of them.

The table has 65,536 rows of 4 entries (fingerprint of the token, time at which its bucket is full), 4 MiB. A token
belongs to one row, and the row is locked for the microsecond that a decision takes. The lock is an open file
description lock: the kernel frees it when its holder dies, in whatever way, which a lock in the memory itself would
not survive. The clock is CLOCK_MONOTONIC, one for all processes of a host and deaf to changes of the wall clock.

A token without an entry takes over the entry whose bucket is full soonest, with its debt. Mostly there is no debt left,
and the entry was out of use. If five tokens of one row are busy at once, the fifth starts with the smallest debt of the
others. It may be refused too early, but no token is ever admitted too often: the smallest debt of a row only grows, and
so covers the debt of the displaced token. With 10,000 tokens busy at once, expect 0.04 such rows.

Open it after fork (descriptors inherited from one open do not exclude each other), and call it from one thread.
The file goes when the last process closes it; one left by killed processes goes when another installation of the same
user starts, and keeps its debts until then. Needs Linux.
"""

import contextlib
import ctypes
import fcntl
import logging
import mmap
import os
import struct
import tempfile
import time
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from stowboard.api.limits.rule import Decision, RateLimitRule

ROWS = 65_536
WAYS = 4
#: After this, a decision is made without the lock. Only a process that was stopped during its microsecond holds the
#: lock this long (the longest seen was 0.1, with 8 busy processes on 2 processors). It must not stop the others. The
#: price is one request too many, if that process goes on later.
PATIENCE_SECONDS = 0.5
MEMORY = Path("/dev/shm")  # noqa: S108 - the file is opened without following links and must be ours alone
_WORDS_PER_ENTRY = 2
_WORDS_PER_ROW = WAYS * _WORDS_PER_ENTRY
_BYTES = ROWS * _WORDS_PER_ROW * 8
_MOST_PLACES_REMEMBERED = 8192
_log = logging.getLogger(__name__)

# fcntl.fcntl releases the interpreter during the call, and to get it back from a busy thread takes up to the switch
# interval of 5 ms: a decision took 2,800 us. This call keeps the interpreter, and a decision takes 5 us. So the call
# must not block.
_fcntl_at_once = ctypes.PyDLL(None).fcntl
_SET_LOCK = fcntl.F_OFD_SETLK


class _Place(NamedTuple):
    """Where a token's bucket is, and the two commands that guard it."""

    row: int
    fingerprint: int
    lock: bytes
    unlock: bytes


class SharedLimiter:
    def __init__(self, rule: RateLimitRule, identity: str, directory: Path | None = None) -> None:
        """Open the table that all processes of this user with this identity share. Raises OSError."""
        self.rule = rule
        self._path, self._file = _open_table(_file_name(identity), directory)
        _remove_abandoned(self._path)
        self._memory = mmap.mmap(self._file, _BYTES)
        self._words = memoryview(self._memory).cast("Q")
        self._place = lru_cache(_MOST_PLACES_REMEMBERED)(_place)

    def take(self, bucket: str) -> Decision:
        row, fingerprint, lock, unlock = self._place(bucket)
        file, words = self._file, self._words
        if _fcntl_at_once(file, _SET_LOCK, lock):
            _wait_for(file, lock)
        try:
            entry = row if words[row] == fingerprint else self._entry(row, fingerprint)
            full_at, decision = self.rule.decide(words[entry + 1], time.monotonic_ns() // 1000)
            words[entry] = fingerprint
            words[entry + 1] = full_at
        finally:
            _fcntl_at_once(file, _SET_LOCK, unlock)
        return decision

    def close(self) -> None:
        self._words.release()
        self._memory.close()
        _remove_if_last(self._path, self._file)
        os.close(self._file)

    def _entry(self, row: int, fingerprint: int) -> int:
        words, entries = self._words, range(row, row + _WORDS_PER_ROW, _WORDS_PER_ENTRY)
        for entry in entries:
            if words[entry] == fingerprint:
                return entry
        return min(entries, key=lambda entry: words[entry + 1])


def _place(bucket: str) -> _Place:
    # Not hash(): every process has its own seed for that.
    number = int.from_bytes(blake2b(bucket.encode(), digest_size=8).digest(), "little")
    row = number % ROWS
    lock, unlock = _range_lock(fcntl.F_WRLCK, row), _range_lock(fcntl.F_UNLCK, row)
    return _Place(row * _WORDS_PER_ROW, number, lock, unlock)


def _wait_for(file: int, lock: bytes) -> None:
    tries, give_up = 0, time.monotonic() + PATIENCE_SECONDS
    while _fcntl_at_once(file, _SET_LOCK, lock):
        tries += 1
        if tries < 10:
            os.sched_yield()  # the holder is on another processor and done in a microsecond
        elif time.monotonic() < give_up:
            time.sleep(0.00005)  # the holder has lost its processor, and may need this one
        else:
            _log.warning("a process holds a rate limit bucket without using it; deciding without the lock")
            return


def _range_lock(kind: int, byte: int) -> bytes:
    """A struct flock for one byte. Bytes of rows are locked to decide, the byte after them to use the file at all."""
    return struct.pack("hhqqi4x", kind, os.SEEK_SET, byte, 1, 0)


def _file_name(identity: str) -> str:
    return _file_prefix() + blake2b(identity.encode(), digest_size=12).hexdigest()


def _file_prefix() -> str:
    return f"stowboard-limit-{os.geteuid()}-"


def _open_table(name: str, directory: Path | None) -> tuple[Path, int]:
    path = (directory or MEMORY) / name
    try:
        return path, _open_and_join(path)
    except OSError as error:
        if directory is not None:
            raise
        path = Path(tempfile.gettempdir()) / name
        _log.warning("rate limits are kept in a file, shared memory cannot be used", extra={"reason": str(error)})
        return path, _open_and_join(path)


def _open_and_join(path: Path) -> int:
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            _require_ours(path, file)
            fcntl.fcntl(file, fcntl.F_OFD_SETLKW, _range_lock(fcntl.F_RDLCK, ROWS))
            if _is_at(path, file):
                # The bytes are reserved now: if the disk is full later, writing to mapped memory is a SIGBUS, no error.
                os.posix_fallocate(file, 0, _BYTES)
                return file
        except BaseException:
            os.close(file)
            raise
        os.close(file)  # the last user removed it while we were opening it


def _require_ours(path: Path, file: int) -> None:
    found = os.fstat(file)
    if found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise PermissionError(f"{path} is there already and others can write it.")


def _is_at(path: Path, file: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except FileNotFoundError:
        return False


def _remove_abandoned(ours: Path) -> None:
    for path in ours.parent.glob(_file_prefix() + "*"):
        if path != ours:
            with contextlib.suppress(OSError):  # others come and go meanwhile
                file = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
                _remove_if_last(path, file)
                os.close(file)


def _remove_if_last(path: Path, file: int) -> None:
    # Let go of the shared lock first. Otherwise, of two processes that leave together, each would see the other's lock,
    # and neither would remove the file.
    fcntl.fcntl(file, fcntl.F_OFD_SETLK, _range_lock(fcntl.F_UNLCK, ROWS))
    try:
        fcntl.fcntl(file, fcntl.F_OFD_SETLK, _range_lock(fcntl.F_WRLCK, ROWS))
    except BlockingIOError:
        return
    if _is_at(path, file):
        path.unlink()
