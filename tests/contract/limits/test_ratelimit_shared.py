"""Dangers of the shared table alone: processes that die or stop, rows that are full, bytes that are not ours."""

import fcntl
import logging
import multiprocessing
import os
import random
import signal
import stat
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from stowboard.api.limits import shared_memory
from stowboard.api.limits.rule import RateLimitRule, RateLimitSettings
from stowboard.api.limits.shared_memory import WAYS, SharedLimiter
from support.waiting import PATIENCE_SECONDS, until

TOKEN = "tok_shared"
RULE = RateLimitRule(RateLimitSettings())
#: Nothing grows while a test runs.
STILL = RateLimitRule(RateLimitSettings(rate_per_minute=1, burst=5))
#: A millisecond for each request: a short pause makes every bucket full again.
QUICK = RateLimitRule(RateLimitSettings(rate_per_minute=60_000, burst=5))
_forks = multiprocessing.get_context("forkserver")  # which loads this module once
_forks.set_forkserver_preload([__name__])


@contextmanager
def opened(rule: RateLimitRule, directory: Path) -> Iterator[SharedLimiter]:
    limiter = SharedLimiter(rule, "test", directory)
    try:
        yield limiter
    finally:
        limiter.close()


def crowd(size: int) -> list[str]:
    """Tokens that share one row of the table."""
    rows: dict[int, list[str]] = defaultdict(list)
    for number in range(200_000):
        token = f"tok_{number}"
        row = rows[shared_memory._place(token).row]
        row.append(token)
        if len(row) == size:
            return row
    raise AssertionError("no row has so many")


def test_the_lock_of_a_killed_process_is_free_at_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with opened(RULE, tmp_path) as limiter, _holder(tmp_path) as holder:
        holder.kill()
        holder.join()
        assert limiter.take(TOKEN).remaining == 99
        assert not caplog.records


def test_a_process_stopped_with_the_lock_stops_nobody_else(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with opened(RULE, tmp_path) as limiter, _holder(tmp_path) as holder:
        assert holder.pid is not None
        os.kill(holder.pid, signal.SIGSTOP)
        assert limiter.take(TOKEN).remaining == 99
        assert "deciding without the lock" in caplog.text
        holder.kill()


def test_a_lock_that_is_given_back_in_time_is_waited_for(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with opened(RULE, tmp_path) as limiter, _holder(tmp_path, keeps=shared_memory.PATIENCE_SECONDS / 10):
        assert limiter.take(TOKEN).allowed
    assert not caplog.records


def test_as_many_tokens_as_a_row_has_entries_do_not_disturb_each_other(tmp_path: Path) -> None:
    tokens = crowd(WAYS) * 8
    random.Random(7).shuffle(tokens)
    with opened(STILL, tmp_path) as limiter:
        admitted = [token for token in tokens if limiter.take(token).allowed]
    assert {admitted.count(token) for token in tokens} == {5}


def test_more_busy_tokens_than_entries_are_never_admitted_too_often(tmp_path: Path) -> None:
    tokens = crowd(WAYS + 2) * 50
    random.Random(7).shuffle(tokens)
    with opened(STILL, tmp_path) as limiter:
        admitted = [token for token in tokens if limiter.take(token).allowed]
    assert max(admitted.count(token) for token in tokens) <= 5


def test_tokens_that_have_rested_leave_their_entry_to_a_new_one_for_nothing(tmp_path: Path) -> None:
    *rested, fresh = crowd(WAYS + 1)
    with opened(QUICK, tmp_path) as limiter:
        for token in rested:
            limiter.take(token)
        time.sleep(0.02)
        assert limiter.take(fresh).remaining == 4


@pytest.mark.parametrize("word", [2**64 - 1, 2**63], ids=["torn", "from another boot"])
async def test_a_time_that_cannot_be_heals_itself(tmp_path: Path, word: int) -> None:
    with opened(QUICK, tmp_path) as limiter:
        limiter.take(TOKEN)
        limiter._words[shared_memory._place(TOKEN).row + 1] = word
        assert not limiter.take(TOKEN).allowed
        await until(lambda: limiter.take(TOKEN).allowed)


def test_the_table_is_in_shared_memory_for_this_user_alone_and_goes_with_its_last_user() -> None:
    identity = f"test {os.getpid()}"
    path = shared_memory.MEMORY / shared_memory._file_name(identity)
    first, second = SharedLimiter(RULE, identity), SharedLimiter(RULE, identity)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    first.take(TOKEN)
    first.close()
    assert second.take(TOKEN).remaining == 98
    second.close()
    assert not path.exists()


def test_what_killed_processes_left_is_kept_for_their_successors_and_removed_by_others(tmp_path: Path) -> None:
    path = tmp_path / shared_memory._file_name("test")
    with _holder(tmp_path) as holder:
        SharedLimiter(RULE, "other", tmp_path).close()
        assert path.exists()
        holder.kill()
        holder.join()
    assert path.exists()
    with opened(RULE, tmp_path) as successor:
        SharedLimiter(RULE, "other", tmp_path).close()
        assert successor._path.samefile(f"/proc/self/fd/{successor._file}")
    with _holder(tmp_path) as holder:
        holder.kill()
        holder.join()
    SharedLimiter(RULE, "other", tmp_path).close()
    assert not path.exists()


def test_installations_of_one_host_do_not_share_buckets(tmp_path: Path) -> None:
    one, other = SharedLimiter(RULE, "one", tmp_path), SharedLimiter(RULE, "other", tmp_path)
    one.take(TOKEN)
    assert other.take(TOKEN).remaining == 99
    one.close()
    other.close()


def test_without_shared_memory_a_file_does_and_is_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(shared_memory, "MEMORY", tmp_path / "absent")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    limiter = SharedLimiter(RULE, "test")
    assert limiter.take(TOKEN).allowed
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    limiter.close()


def test_a_file_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / shared_memory._file_name("test")
    path.touch()
    path.chmod(0o666)
    with pytest.raises(PermissionError):
        SharedLimiter(RULE, "test", tmp_path)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").touch(0o600)
    (tmp_path / shared_memory._file_name("test")).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic link"):
        SharedLimiter(RULE, "test", tmp_path)


def test_processes_that_come_and_go_always_find_the_same_table(tmp_path: Path) -> None:
    together = _forks.Barrier(3)
    processes = [_forks.Process(target=_come_and_go, args=(tmp_path, together)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(PATIENCE_SECONDS)
    assert [process.exitcode for process in processes] == [0, 0, 0]


def _come_and_go(directory: Path, together: Barrier) -> None:
    together.wait(PATIENCE_SECONDS)
    for _ in range(1000):
        with opened(RULE, directory) as limiter:
            assert limiter._path.samefile(f"/proc/self/fd/{limiter._file}")


@contextmanager
def _holder(directory: Path, keeps: float = 60) -> Iterator[multiprocessing.process.BaseProcess]:
    """A process that is in the middle of a decision about TOKEN."""
    ours, theirs = _forks.Pipe()
    process = _forks.Process(target=_hold, args=(directory, keeps, theirs))
    process.start()
    try:
        assert ours.poll(PATIENCE_SECONDS)
        yield process
    finally:
        process.kill()
        process.join()


def _hold(directory: Path, keeps: float, ready: Connection) -> None:
    with opened(RULE, directory) as limiter:
        place = shared_memory._place(TOKEN)
        fcntl.fcntl(limiter._file, fcntl.F_OFD_SETLK, place.lock)
        ready.send("held")
        time.sleep(keeps)
        fcntl.fcntl(limiter._file, fcntl.F_OFD_SETLK, place.unlock)
