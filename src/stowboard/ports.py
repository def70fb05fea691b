"""Ports: the parts of one capability that another one needs, joined here since capabilities never import each other."""

from collections.abc import Sequence

from stowboard.access.base.account_store import find_reminder_address, find_time_zone
from stowboard.core.caller import Access
from stowboard.core.cursor import Position
from stowboard.db.database import Tx
from stowboard.db.scan import RowPage
from stowboard.events.webhooks.webhook_store import disable_of_member
from stowboard.media.assets import asset_store
from stowboard.media.base.uses import MediaUse
from stowboard.media.videos import video_store
from stowboard.tasks.archive import delete_some
from stowboard.tasks.attachments import detach_later
from stowboard.tasks.base import attachment_store
from stowboard.tasks.base.owners import is_owner
from stowboard.tasks.calendar import calendar_store
from stowboard.tasks.index import index_store


class TaskOwners:
    """Owners of tasks and boards, used by `access.accounts`."""

    async def is_owner(self, tx: Tx, name: str) -> bool:
        return await is_owner(tx, name)

    async def end_addresses(self, tx: Tx, owner: str) -> None:
        await calendar_store.remove(tx, owner)

    async def begin_space(self, tx: Tx, space_id: str) -> None:
        await index_store.activate(tx, space_id)

    async def end_of_member(self, tx: Tx, space_id: str, member: str) -> None:
        await disable_of_member(tx, space_id, member)

    async def delete_some(self, tx: Tx, owner: str) -> bool:
        return await delete_some(tx, owner)


class Accounts:
    """Accounts of people: their address for reminders, and their time zone for dates that they write."""

    async def find_address(self, tx: Tx, owner: str) -> str | None:
        return await find_reminder_address(tx, owner)

    async def find_time_zone(self, tx: Tx, owner: str) -> str | None:
        return await find_time_zone(tx, owner)


class AttachedMedia:
    """Assets and videos, used by attachments of tasks."""

    async def find_and_lock(self, tx: Tx, ids: Sequence[str]) -> dict[str, str]:
        assets = {asset.id: asset.space for asset in await asset_store.find_and_lock_known(tx, ids)}
        return assets | {video.id: video.space for video in await video_store.find_and_lock_known(tx, ids)}


class TaskUses:
    """Tasks that use assets and videos, used by `media`."""

    def unused(self, id_column: str) -> str:
        return attachment_store.unused(id_column)

    async def list_uses(
        self, tx: Tx, access: Access, target: str, after: Position | None, size: int
    ) -> RowPage[MediaUse]:
        listed = await attachment_store.list_using(tx, access, target, after, size)
        return RowPage([MediaUse(task.id, task.title, task.status, task.archived) for task in listed.items], listed.end)

    async def end_later(self, tx: Tx, targets: Sequence[str]) -> None:
        await detach_later(tx, targets)
