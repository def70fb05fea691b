"""Renaming a tag of many things, as JSON: the body and the progress."""

import msgspec

from stowboard.core.errors import NotFound
from stowboard.core.reach import SpaceId
from stowboard.core.tags import Tag
from stowboard.jobs.schedule import sweep
from stowboard.jobs.tag_renaming import JobProgress, ProgressStatus, forget_progress


class RenameTagBody(msgspec.Struct, frozen=True):
    """A tag and its new name. A thing that has both tags keeps the new one."""

    old: Tag = msgspec.field(name="from")
    new: Tag = msgspec.field(name="to")
    space_id: SpaceId | None = msgspec.field(name="spaceId", default=None)


class RenameTagView(msgspec.Struct, frozen=True):
    """How many of how many have the new tag. `id` is null if it was done within the request."""

    id: str | None
    status: ProgressStatus
    done: int
    total: int


def shown(outcome: int | JobProgress | None) -> RenameTagView:
    """The number of things that were changed at once, or the progress of a job. Raises NotFound."""
    if outcome is None:
        raise NotFound
    if isinstance(outcome, int):
        return RenameTagView(None, ProgressStatus.DONE, outcome, outcome)
    return RenameTagView(outcome.id, outcome.status, outcome.done, outcome.total)


EXAMPLE_BODY = {"from": "holidays", "to": "holiday"}
EXAMPLE_DONE = {"id": None, "status": "done", "done": 12, "total": 12}
EXAMPLE = {"id": "prg_01kbr2x4q8e9w6y3t7n5m1c0vz", "status": "running", "done": 300, "total": 1204}
PERIODICS = [sweep("platform.sweep_progress", 3_600_000, forget_progress)]
