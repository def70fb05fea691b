"""Ports: the parts of one capability that another one needs, joined here since capabilities never import each other."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec
from msgspec import UNSET

from stowboard.access.base.account_store import find_by_username, find_time_zone
from stowboard.access.owners import EndThings
from stowboard.access.spaces.space_store import find_reached, may_edit, members_among
from stowboard.api.endpoint import AnyCall
from stowboard.blobs.store import BlobStore
from stowboard.core.caller import Access
from stowboard.core.cursor import Position
from stowboard.core.errors import Conflict, PayloadTooLarge
from stowboard.core.metadata import MAX_VALUE
from stowboard.core.reach import LIBRARY, Role, is_shared, space_id_of
from stowboard.db.database import Database, Tx
from stowboard.db.scan import RowPage
from stowboard.events.changes.change_store import Change
from stowboard.media.assets import asset_store
from stowboard.media.assets.transfer import copy_into
from stowboard.media.base.asset import AssetStatus, MediaVisibility
from stowboard.media.base.errors import UploadFromUrlOff
from stowboard.media.base.settings import MediaSettings
from stowboard.media.base.stat_store import has_media
from stowboard.media.base.uses import MediaUseView
from stowboard.media.fetching.bodies import FromUrlBody
from stowboard.media.fetching.fetch import order_fetch
from stowboard.media.library_routes import delete_some_media
from stowboard.media.uploads import upload_store
from stowboard.media.videos import video_store
from stowboard.notifications import channel_store, notification_store
from stowboard.tasks.archive import delete_some
from stowboard.tasks.attachments import detach_later
from stowboard.tasks.base import attachment_store
from stowboard.tasks.base.document import show
from stowboard.tasks.base.owners import is_owner
from stowboard.tasks.base.privacy import sees_envelopes
from stowboard.tasks.boards import lane_store
from stowboard.tasks.boards.board_routes import BoardView, show_board
from stowboard.tasks.boards.boards import undo_board
from stowboard.tasks.calendar import calendar_store
from stowboard.tasks.imports import import_store
from stowboard.tasks.imports.part_work import FetchedFile, FetchStatus
from stowboard.tasks.index import index_store
from stowboard.tasks.together.leaving import end_assignments
from stowboard.tasks.undo import undo_task
from stowboard.webhooks import webhook_store
from stowboard.webhooks.manage import delete_of_owner

#: The metadata of a fetched file: the id that it has in the program that it comes from.
_IMPORTED_FROM = "importedFrom"


class TaskOwners:
    """Owners of tasks, boards and media, used by `access`."""

    ends: Mapping[str, EndThings] = MappingProxyType(
        {
            "webhooks": webhook_store.end_made,
            "calendars": calendar_store.end_made,
            "uploads": upload_store.end_made,
            "uploadsByUrl": upload_store.end_made_by_url,
            "channels": channel_store.end_made,
            "assignments": end_assignments,
            "imports": import_store.end_made,
        }
    )

    async def is_owner(self, tx: Tx, name: str) -> bool:
        return await is_owner(tx, name) or await has_media(tx, name)

    async def forget_person(self, tx: Tx, person: str) -> None:
        await delete_of_owner(tx, person)
        await notification_store.forget_person(tx, person)

    async def begin_space(self, tx: Tx, space_id: str) -> None:
        await index_store.activate(tx, space_id)

    async def delete_some(self, tx: Tx, owner: str) -> bool:
        await delete_of_owner(tx, owner)
        if await delete_some(tx, owner) or await delete_some_media(tx, TaskUses(), owner):
            return True
        await index_store.forget_state(tx, owner)
        return False


class Accounts:
    """Accounts of people: their spaces, and their time zone for dates that they write."""

    async def find_spaces(self, tx: Tx, person: str) -> list[str]:
        return await find_reached(tx, person)

    async def find_time_zone(self, tx: Tx, owner: str) -> str | None:
        return await find_time_zone(tx, owner)


class ForImports:
    """The people of a space, uploads by URL and uploaded files, used by imports of tasks."""

    def __init__(self, db: Database, blobs: BlobStore, settings: MediaSettings) -> None:
        self._db, self._blobs, self._settings = db, blobs, settings

    async def may_edit(self, tx: Tx, owner: str, person: str) -> bool:
        account = await find_by_username(tx, person)
        if account is not None and account.disabled_at is not None:
            return False
        return owner == person or await may_edit(tx, owner, person)

    async def fetch_later(self, tx: Tx, access: Access, owner: str, url: str, filename: str, source: str) -> None:
        if not self._settings.upload_from_url:
            raise UploadFromUrlOff
        known = await self.find_fetched(tx, owner, source)
        if known is not None and known.status is not FetchStatus.FAILED:
            return
        body = FromUrlBody(
            url=url, filename=filename, space_id=space_id_of(owner), visibility=MediaVisibility.PROTECTED,
            metadata={_IMPORTED_FROM: source[-MAX_VALUE:]},
        )  # fmt: skip
        await order_fetch(tx, access, body)

    async def find_fetched(self, tx: Tx, owner: str, source: str) -> FetchedFile | None:
        asset = await asset_store.find_with_metadata(tx, owner, _IMPORTED_FROM, source[-MAX_VALUE:])
        if asset is None:
            return None
        ended = {AssetStatus.READY: FetchStatus.READY, AssetStatus.FAILED: FetchStatus.FAILED}
        return FetchedFile(asset.id, ended.get(asset.status, FetchStatus.UNDER_WAY), asset.error_message)

    async def read_upload(self, access: Access, upload_id: str, most: int) -> bytes:
        asset = await self._db.read(asset_store.get_usable, access.needing(Role.VIEWER), upload_id)
        if asset.blob_key is None or asset.size > most:
            raise PayloadTooLarge(f"uploadId: the file has not arrived, or has more than {most:,} bytes.")
        return b"".join([chunk async for chunk in self._blobs.read(asset.blob_key)])


class AttachedMedia:
    """Assets and videos, used by attachments of tasks, and the people of a space, used by their assignees."""

    async def find_and_lock(self, tx: Tx, access: Access, ids: Sequence[str]) -> dict[str, str]:
        """A caller who can see it may attach it. Raises InTrash."""
        seen = access.needing(Role.VIEWER)
        assets = await asset_store.find_and_lock_many(tx, seen, ids)
        videos = await video_store.find_and_lock_many(tx, seen, ids)
        return {asset.id: asset.space for asset in assets} | {video.id: video.space for video in videos}

    async def copy_into(self, tx: Tx, ids: Sequence[str], space: str) -> dict[str, str]:
        """Copy what stays behind when a task is transferred; returns the id of each copy by the id of its original.

        Raises Conflict for a video, which cannot be copied.
        """
        for video in await video_store.find_and_lock_known(tx, ids):
            if video.space not in (space, LIBRARY):
                raise Conflict(f"The video {video.id} is attached and cannot be copied. Detach or transfer it first.")
        return await copy_into(tx, ids, space)

    async def members_among(self, tx: Tx, owner: str, names: Sequence[str]) -> set[str]:
        return await members_among(tx, owner, names) if is_shared(owner) else {owner} & set(names)


class TaskUses:
    """Tasks that use assets and videos, used by `media`."""

    def unused(self, id_column: str) -> str:
        return attachment_store.unused(id_column)

    async def list_uses(
        self, tx: Tx, access: Access, target: str, after: Position | None, size: int
    ) -> RowPage[MediaUseView]:
        listed = await attachment_store.list_using(tx, access, target, after, size)
        uses = [MediaUseView(task.id, task.title, task.status, task.archived) for task in listed.items]
        return RowPage(uses, listed.end)

    async def find_used_outside(self, tx: Tx, targets: Sequence[str], space: str) -> list[str]:
        """Those of the things that a task of another space uses. None of the Library: any task may use its things."""
        if space == LIBRARY or not targets:
            return []
        return await attachment_store.find_used_outside(tx, targets, space)

    async def end_later(self, tx: Tx, targets: Sequence[str]) -> None:
        await detach_later(tx, targets)


class BoardUndo:
    """Boards, used by history."""

    read_scope, write_scope = "tasks:read", "tasks:write"

    async def undo(self, tx: Tx, access: Access, change: Change, call: AnyCall) -> BoardView:  # noqa: ARG002
        return show_board(*await undo_board(tx, access, change))


class TaskUndo:
    """Tasks, used by history."""

    read_scope, write_scope = "tasks:read", "tasks:write"

    async def undo(self, tx: Tx, access: Access, change: Change, call: AnyCall) -> msgspec.Raw:  # noqa: ARG002
        task = await undo_task(tx, access, change, AttachedMedia())
        position = await lane_store.position_of(tx, task) if task.board_id is not None else UNSET
        return show(task, position, sees_envelopes(access.caller))
