"""Blobs as files: `root/kind/shard/ulid`, and unfinished uploads (`resumable_disk`).

A blob is written to a file beside its place (`.ulid.random`), fsynced, renamed, and its folder is fsynced; a folder
that this process has not used before has its entry fsynced as well, since another process may have made it and died.
So a key has all its bytes or none, whatever is killed or unplugged, on a file system that keeps what fsync promises.
Threads of its own do all of it: a slow disk must not hold up the event loop, nor the loop's own threads.

Empty folders stay. The root must exist while running: a volume that is no longer mounted is an error, not a new store.
"""

import asyncio
import errno
import os
import secrets
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing, suppress
from functools import lru_cache
from io import FileIO
from pathlib import Path
from typing import ParamSpec, TypeVar

from stowboard.blobs.direct import LARGE
from stowboard.blobs.draft import BlobDraft, name_of_draft
from stowboard.blobs.keys import BlobKey, check_key, is_key, is_kind, new_key
from stowboard.blobs.resumable import LONGEST_MS, AppenderLedger, GrowingBlob
from stowboard.blobs.resumable_disk import FOLDER, DiskAppender, draft_path
from stowboard.blobs.store import (
    BlobNotFound,
    BlobStoreUnavailable,
    DiskSpace,
    StoredBlob,
    WrittenBlob,
    held,
    in_blocks,
    require_range,
)
from stowboard.core import clock
from stowboard.core.errors import InsufficientStorage
from stowboard.core.folders import fsync_folder, make_durable_folder, make_private, make_private_ones

P = ParamSpec("P")
T = TypeVar("T")

_BLOCK = 1 << 20
_THREADS = 8
_PATHS_REMEMBERED = 4096
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class DiskBlobs:
    """The BlobStore of one folder. It is also LocalFiles."""

    def __init__(self, root: Path, *, direct_writes: bool = True) -> None:
        self._root, self._direct_writes = root.absolute(), direct_writes
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="blobs")
        self._durable_folders: set[Path] = set()
        #: Making a Path takes as long as opening the file.
        self._path = lru_cache(_PATHS_REMEMBERED)(self._root.joinpath)
        make_durable_folder(self._root)
        make_private(self._root)

    async def put(self, key: BlobKey, chunks: AsyncIterable[bytes]) -> WrittenBlob:
        draft = BlobDraft(self.local_path(key))
        async with aclosing(in_blocks(chunks, _BLOCK)) as blocks:
            first: list[bytes] = await anext(blocks, [])
            if held(first) < _BLOCK:  # the whole blob: one call of a thread
                return await self._run(self._put_whole, draft, first)
            try:
                await self._run(self._begin, draft, first)
                async for block in blocks:
                    await self._run(draft.write, block)
                return await self._run(draft.publish, self._prepare_folder)
            except BaseException:
                await self._run(draft.discard)
                raise

    async def put_bytes(self, key: BlobKey, data: bytes, sha256: str | None = None) -> WrittenBlob:
        return await self._run(self._put_whole, BlobDraft(self.local_path(key), sha256), [data])

    async def read(self, key: BlobKey, start: int = 0, end: int | None = None) -> AsyncGenerator[bytes]:
        require_range(start, end)
        file = await self._opened(key)
        try:
            while end is None or start < end:
                size = _BLOCK if end is None else min(_BLOCK, end - start)
                chunk = await self._run(os.pread, file.fileno(), size, start)
                if not chunk:
                    return
                yield chunk
                start += len(chunk)
        finally:
            file.close()

    async def find(self, key: BlobKey) -> StoredBlob | None:
        return await self._run(self._find, key)

    async def delete_many(self, keys: Iterable[BlobKey]) -> None:
        await self._run(_unlink_all, [self.local_path(key) for key in keys])

    async def walk(self, kind: str | None = None, after: BlobKey | None = None) -> AsyncGenerator[StoredBlob]:
        for folder in await self._run(self._folders, kind):
            if after is not None and folder < after.rpartition("/")[0]:
                continue
            for blob in await self._run(self._blobs_in, folder):
                if after is None or blob.key > after:
                    yield blob

    async def discard_unfinished(self, before_ms: int) -> int:
        discarded = 0
        for folder in await self._run(self._folders, None):
            discarded += await self._run(self._discard_drafts, folder, before_ms)
        oldest_on_its_way = min(before_ms, clock.now_ms() - LONGEST_MS)
        return discarded + await self._run(_unlink_older, (self._root / FOLDER).glob("*"), oldest_on_its_way)

    def append_to(self, growing: GrowingBlob, ledger: AppenderLedger) -> DiskAppender:  # noqa: ARG002 - the file says it all
        target = self.local_path(growing.key)
        path, direct = draft_path(self._root, growing.key), self._direct_writes and growing.most >= LARGE
        return DiskAppender(growing, path, target, self._run, self._prepare_folder, direct=direct)

    async def discard_growing(self, key: BlobKey, handle: str | None) -> None:  # noqa: ARG002 - a file has none
        await self._run(_unlink_all, [draft_path(self._root, key), self.local_path(key)])

    def space(self) -> DiskSpace:
        found = _translated(os.statvfs, self._root)
        return DiskSpace(found.f_bavail * found.f_frsize, found.f_blocks * found.f_frsize)

    async def check(self) -> None:
        await self._run(self._check)

    async def close(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)

    def local_path(self, key: BlobKey) -> Path:
        check_key(key)
        return self._path(key)

    async def _run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, lambda: _translated(call, *args, **kwargs))

    def _begin(self, draft: BlobDraft, chunks: list[bytes]) -> None:
        make_private_ones(draft.folder, levels=2)
        draft.open()
        draft.write(chunks)

    def _prepare_folder(self, folder: Path) -> None:
        for made in (folder.parent, folder):
            if made == self._root or (not make_private(made) and made in self._durable_folders):
                continue
            fsync_folder(made.parent)
            self._durable_folders.add(made)

    def _put_whole(self, draft: BlobDraft, chunks: list[bytes]) -> WrittenBlob:
        try:
            self._begin(draft, chunks)
            return draft.publish(self._prepare_folder)
        except BaseException:
            draft.discard()
            raise

    async def _opened(self, key: BlobKey) -> FileIO:
        """A caller that is cancelled meanwhile leaves nothing open."""
        opening = self._threads.submit(_translated, self._open, key)
        try:
            return await asyncio.wrap_future(opening)
        except asyncio.CancelledError:
            opening.add_done_callback(_close)
            raise

    def _open(self, key: BlobKey) -> FileIO:
        try:
            return self.local_path(key).open("rb", buffering=0)
        except FileNotFoundError:
            self._require_root()
            raise BlobNotFound(key) from None

    def _find(self, key: BlobKey) -> StoredBlob | None:
        try:
            return _stored(key, self.local_path(key).stat())
        except FileNotFoundError:
            self._require_root()
            return None

    def _require_root(self) -> None:
        self._root.stat()

    def _folders(self, kind: str | None) -> list[str]:
        kinds = [kind] if kind is not None else filter(is_kind, _folder_names(self._root))
        return [f"{each}/{shard}" for each in kinds for shard in _folder_names(self._root / each)]

    def _blobs_in(self, folder: str) -> list[StoredBlob]:
        found = []
        for entry in _entries(self._root / folder):
            key = BlobKey(f"{folder}/{entry.name}")
            if is_key(key):
                with suppress(FileNotFoundError):  # deleted since the folder was read
                    found.append(_stored(key, entry.stat()))
        return sorted(found, key=lambda blob: blob.key)

    def _discard_drafts(self, folder: str, before_ms: int) -> int:
        names = [(entry, name_of_draft(entry.name)) for entry in _entries(self._root / folder)]
        drafts = [Path(entry.path) for entry, name in names if name is not None and is_key(f"{folder}/{name}")]
        return _unlink_older(drafts, before_ms)

    def _check(self) -> None:
        key, data = new_key("probe"), secrets.token_bytes(64)
        path = self.local_path(key)
        self._put_whole(BlobDraft(path), [data])
        same = path.read_bytes() == data
        path.unlink()
        if not same:
            raise BlobStoreUnavailable(f"{self._root} gave other bytes than were written")


def _translated(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return call(*args, **kwargs)
    except OSError as error:
        if error.errno in _FULL:
            raise InsufficientStorage from error
        raise BlobStoreUnavailable(f"{error.strerror}: {error.filename}") from error


def _unlink_all(paths: list[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _unlink_older(paths: Iterable[Path], before_ms: int) -> int:
    unlinked = 0
    for path in paths:
        with suppress(FileNotFoundError):  # its writer has just finished
            if _modified_ms(path.stat()) < before_ms:
                path.unlink()
                unlinked += 1
    return unlinked


def _close(opening: Future[FileIO]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


def _entries(folder: Path) -> list["os.DirEntry[str]"]:
    with os.scandir(folder) as entries:
        return list(entries)


def _folder_names(parent: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in _entries(parent) if entry.is_dir())
    except FileNotFoundError:  # no blob of this kind yet
        return []


def _stored(key: BlobKey, stat: os.stat_result) -> StoredBlob:
    return StoredBlob(key, stat.st_size, _modified_ms(stat))


def _modified_ms(stat: os.stat_result) -> int:
    return stat.st_mtime_ns // 1_000_000
