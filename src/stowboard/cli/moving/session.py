"""The parts that commands of this room share: the open store, checks before the work, and sentences after it."""

import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import uvloop

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.open import open_blobs
from stowboard.blobs.store import BlobStore, BlobStoreUnavailable
from stowboard.cli.exits import fail
from stowboard.cli.on_database import why_unusable
from stowboard.cli.progress import ProgressLine, size
from stowboard.core.errors import InsufficientStorage
from stowboard.core.wording import counted
from stowboard.db.database import DatabaseUnavailable, LockTimeout
from stowboard.db.migrate import MigrationMismatch, pending
from stowboard.db.open import open_database
from stowboard.events import audit
from stowboard.events.audit import OPERATOR
from stowboard.moving.manifest import Manifest
from stowboard.moving.refusal import MovingRefusal
from stowboard.moving.unfinished import ADVICE, is_unfinished
from stowboard.settings import Settings

T = TypeVar("T")


def with_store(settings: Settings, work: Callable[[BlobStore, ProgressLine], Awaitable[T]]) -> T:
    """Do the work with the installation's store open. A failure ends the command in a sentence."""

    async def session() -> T:
        store = open_blobs(settings.blobs)
        try:
            return await work(store, progress)
        finally:
            await store.close()

    with _sentences(settings), _private_files(), ProgressLine() as progress:
        return uvloop.run(session())


async def require_current(settings: Settings, act: str | None = None) -> None:
    """Check that the installation is whole and of this release, and write `act` into the audit log.

    Raises MovingRefusal.
    """
    db = await open_database(settings.database)
    try:
        if await db.read(is_unfinished, db.dialect):
            raise MovingRefusal(ADVICE)
        if await pending(db):
            raise MovingRefusal("the database is of an earlier release. Run `stowboard upgrade` first.")
        if act is not None:
            await db.transact(audit.record, OPERATOR, act, "installation")
    finally:
        await db.close()


def require_embedded(settings: Settings) -> None:
    if not settings.database.on_sqlite:
        fail("this is for the embedded database. Back up PostgreSQL with its own tools: docs/operations.md says how.")


def summary(manifest: Manifest) -> str:
    lost = f" ({manifest.missing:,} more were lost before)" if manifest.missing else ""
    return f"{counted(manifest.blobs, 'file')} of {size(manifest.bytes)}{lost}"


def tell_what_is_not_whole(manifest: Manifest, lost: list[BlobKey], damaged: list[BlobKey]) -> None:
    """End the command with 1 if files are lost or damaged, and name some."""
    sentences = []
    if manifest.missing and lost:
        sentences.append(
            f"all is written, but the store does not have {counted(manifest.missing, 'file')} that rows name:"
            f" {_some(lost, manifest.missing)}. They were lost before."
        )
    if manifest.damaged:
        sentences.append(
            f"the bytes of {counted(manifest.damaged, 'file')} are not those that their rows say:"
            f" {_some(damaged, manifest.damaged)}."
            " They are damaged; `stowboard verify` says whose they are. Put them back from an older backup."
        )
    if sentences:
        fail(" ".join(sentences))


def _some(keys: list[BlobKey], of: int) -> str:
    return ", ".join(keys) + (", …" if len(keys) < of else "")


@contextmanager
def _private_files() -> Iterator[None]:
    """The files written here hold keys and uploads: only their owner may read them."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


@contextmanager
def _sentences(settings: Settings) -> Iterator[None]:
    try:
        yield
    except MovingRefusal as reason:
        fail(str(reason))
    except BlobStoreUnavailable as problem:
        fail(f"the store of files cannot be used: {problem.reason}. When it is well, run the same command again.")
    except InsufficientStorage:
        fail("the disk is full. Make room, then run the same command again: it goes on where it was.")
    except (DatabaseUnavailable, LockTimeout, MigrationMismatch) as error:
        fail(f"the database cannot be used: {why_unusable(settings, error)}")
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}.")
