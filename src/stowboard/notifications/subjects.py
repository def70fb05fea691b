"""The tasks, files and spaces that notifications are about, as they are now."""

from collections.abc import Iterable, Sequence

import msgspec

from stowboard.access.spaces import space_store
from stowboard.core.caller import Access
from stowboard.db.database import Tx
from stowboard.media.assets import asset_store
from stowboard.media.videos import video_store
from stowboard.tasks.base import task_store
from stowboard.tasks.base.task import Task

#: The scope that a token needs to see the title, by the prefix of the id. Other titles need no scope.
SCOPES = {"tsk": "tasks:read", "ast": "media:read", "vid": "media:read"}


class NotifiedSubject(msgspec.Struct, frozen=True):
    title: str
    #: The person who made it; None for a token of a space.
    made_by: str | None
    task: Task | None = None

    @property
    def shown(self) -> str:
        """The title as it may leave."""
        return "A task" if self.task is not None and self.task.zero_knowledge else self.title


async def find_for_service(tx: Tx, owners: Iterable[str], ids: Sequence[str]) -> dict[str, NotifiedSubject]:
    """Those of these owners, and tasks wherever they were transferred to: the caller checks who reaches them there."""
    moved = await task_store.find_owners(tx, sorted({each for each in ids if each.startswith("tsk_")}))
    return await find_subjects(tx, Access.of_service(*sorted({*owners, *moved})), ids)


async def find_subjects(tx: Tx, access: Access, ids: Iterable[str]) -> dict[str, NotifiedSubject]:
    """Those in reach, and the spaces that ask the caller to join, by id. Tokens and webhooks have no title here."""
    by_prefix: dict[str, list[str]] = {}
    for subject in sorted(set(ids)):
        by_prefix.setdefault(subject.partition("_")[0], []).append(subject)
    found: dict[str, NotifiedSubject] = {}
    for task in await task_store.find_many(tx, access, by_prefix.get("tsk", [])):
        found[task.id] = NotifiedSubject(task.title, task.extras.created_by, task)
    for asset in await asset_store.find_many(tx, access, by_prefix.get("ast", [])):
        found[asset.id] = NotifiedSubject(asset.title or asset.original_name or asset.filename, asset.created_by)
    for video in await video_store.find_many(tx, access, by_prefix.get("vid", [])):
        found[video.id] = NotifiedSubject(video.title, video.created_by)
    named = by_prefix.get("spc", [])
    reached = await space_store.find_spaces(tx, [space_id for space_id in named if space_id in access.reach.roles])
    for space in [*reached.values(), *await space_store.find_inviting(tx, access.caller.owner, named)]:
        found[space.id] = NotifiedSubject(space.name, space.created_by)
    return found
