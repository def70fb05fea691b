"""Renaming a tag of many things, as JSON: what is asked for, and how far it is."""

import msgspec

from stowboard.core.errors import NotFound
from stowboard.core.tags import Tag
from stowboard.jobs.progress import JobProgress, ProgressStatus, forget_progress
from stowboard.jobs.sweep import sweep


class RenameTagBody(msgspec.Struct, frozen=True):
    """A tag and its new name. A thing that has both tags keeps the new one."""

    old: Tag = msgspec.field(name="from")
    new: Tag = msgspec.field(name="to")


class RenameTagView(msgspec.Struct, frozen=True):
    """How many of how many have the new tag. `id` is null if it was done within the request."""

    id: str | None
    status: ProgressStatus
    done: int
    total: int


def done_at_once(number: int) -> RenameTagView:
    return RenameTagView(None, ProgressStatus.DONE, number, number)


def shown(progress: JobProgress | None) -> RenameTagView:
    """Raises NotFound."""
    if progress is None:
        raise NotFound
    return RenameTagView(progress.id, progress.status, progress.done, progress.total)


EXAMPLE_BODY = {"from": "holidays", "to": "holiday"}
EXAMPLE_DONE = {"id": None, "status": "done", "done": 12, "total": 12}
EXAMPLE = {"id": "prg_01kbr2x4q8e9w6y3t7n5m1c0vz", "status": "running", "done": 300, "total": 1204}
PERIODICS = [sweep("platform.sweep_progress", 3_600_000, forget_progress)]
