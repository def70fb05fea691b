"""What the commands that move an installation have in common: its database and store, a bar, and sentences."""

import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Literal, Self, TypeVar

import uvloop
from rich.console import Console
from rich.filesize import decimal
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.open import open_blobs
from stowboard.blobs.store import BlobStore, BlobStoreUnavailable
from stowboard.cli.on_database import fail, why_unusable
from stowboard.core.errors import InsufficientStorage
from stowboard.db.database import DatabaseUnavailable, LockTimeout
from stowboard.db.migrate import MigrationMismatch, pending
from stowboard.db.open import open_database
from stowboard.events import audit
from stowboard.events.audit import OPERATOR
from stowboard.moving.manifest import Manifest
from stowboard.moving.refusal import Refused
from stowboard.moving.unfinished import ADVICE, is_unfinished
from stowboard.settings import Settings

T = TypeVar("T")


def with_store(settings: Settings, work: Callable[[BlobStore, "Bar"], Awaitable[T]]) -> T:
    """Do the work with the installation's store open. What goes wrong ends the command in a sentence."""

    async def session() -> T:
        store = open_blobs(settings.blobs)
        try:
            return await work(store, bar)
        finally:
            await store.close()

    with _sentences(settings), _private_files(), Bar() as bar:
        return uvloop.run(session())


async def require_current(settings: Settings, act: str | None = None) -> None:
    """The installation is whole, and its schema this release's; then an act is written down. Raises Refused."""
    db = await open_database(settings.database)
    try:
        if await db.read(is_unfinished, db.dialect):
            raise Refused(ADVICE)
        if await pending(db):
            raise Refused("the database is of an earlier release. Run `stowboard migrate` first.")
        if act is not None:
            await db.transact(audit.record, OPERATOR, act, "installation")
    finally:
        await db.close()


def require_embedded(settings: Settings) -> None:
    if not settings.database.on_sqlite:
        fail("this is for the embedded database. Back up PostgreSQL with its own tools: docs/operations.md says how.")


def summary(manifest: Manifest) -> str:
    lost = f" ({manifest.missing:,} more were lost before)" if manifest.missing else ""
    return f"{manifest.blobs:,} files of {decimal(manifest.bytes)}{lost}"


def tell_what_is_not_whole(manifest: Manifest, lost: list[BlobKey], damaged: list[BlobKey]) -> None:
    """Bytes that rows name and the store does not have, or has otherwise: somebody has to know."""
    sentences = []
    if manifest.missing and lost:
        sentences.append(
            f"all is written but for {manifest.missing} files that rows name and the store does not have:"
            f" {_some(lost, manifest.missing)}. They were lost before."
        )
    if manifest.damaged:
        sentences.append(
            f"{manifest.damaged} files do not have the bytes that their rows say: {_some(damaged, manifest.damaged)}."
            " They are damaged; `stowboard verify` says whose they are. Put them back from an older backup."
        )
    if sentences:
        fail(" ".join(sentences))


def _some(keys: list[BlobKey], of: int) -> str:
    return ", ".join(keys) + (", …" if len(keys) < of else "")


class Bar:
    """How far the work is: a line that changes at a terminal, nothing elsewhere."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        columns = (TextColumn("{task.description:>14}"), BarColumn(), _Amount(), TimeRemainingColumn())
        self._bars = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._step: TaskID | None = None

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def begin(self, what: str, total: int, unit: Literal["rows", "bytes"]) -> None:
        if self._step is not None:
            self._bars.remove_task(self._step)
        self._step = self._bars.add_task(what, total=total, unit=unit)

    def advance(self, amount: int) -> None:
        if self._step is not None:
            self._bars.advance(self._step, amount)


class _Amount(ProgressColumn):
    def render(self, task: Task) -> Text:
        show = decimal if task.fields["unit"] == "bytes" else "{:,} rows".format
        return Text(f"{show(int(task.completed))} of {show(int(task.total or 0))}")


@contextmanager
def _private_files() -> Iterator[None]:
    """What is written holds keys, and what people have uploaded."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


@contextmanager
def _sentences(settings: Settings) -> Iterator[None]:
    try:
        yield
    except Refused as reason:
        fail(str(reason))
    except BlobStoreUnavailable as problem:
        fail(f"the store of files cannot be used: {problem.reason}. When it is well, run the same command again.")
    except InsufficientStorage:
        fail("the disk is full. Make room, then run the same command again: it goes on where it was.")
    except (DatabaseUnavailable, LockTimeout, MigrationMismatch) as error:
        fail(f"the database cannot be used: {why_unusable(settings, error)}")
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}.")
