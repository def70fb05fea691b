"""Uses of assets over HTTP: the tasks that have them attached."""

import msgspec

from stowboard.api.endpoint import Answer, Call, Endpoint, PageMeta
from stowboard.api.paging import Page, PageQuery
from stowboard.core.errors import InvalidCursor
from stowboard.db.database import Tx
from stowboard.media.assets import asset_store
from stowboard.media.base.errors import AssetNotFound
from stowboard.media.base.uses import MediaUses


class MediaUseView(msgspec.Struct, frozen=True, rename="camel"):
    """A task that has the asset attached."""

    task_id: str
    title: str
    status: str
    archived: bool


async def list_asset_uses(tx: Tx, call: Call[None, PageQuery], asset_id: str) -> Answer:
    """List the tasks of the token's owner that have an asset attached, newest first."""
    asset = await asset_store.get(tx, asset_id)
    page = Page(call, "uses", call.caller.owner, asset.id)
    listed = await call.use(MediaUses).list_uses(tx, call.caller.owner, asset.id, page.after, page.size)
    return page.answer([MediaUseView(*use) for use in listed.items], listed.end)


ENDPOINTS = [
    Endpoint(
        "GET", "/media/assets/{asset_id}/usage", list_asset_uses, list[MediaUseView], scope="media:read",
        also_scopes=("tasks:read",), query=PageQuery, meta=PageMeta, errors=[AssetNotFound, InvalidCursor],
        example=[{"taskId": "tsk_01kbr2x4q8e9w6y3t7n5m1c0vz", "title": "Water the plants", "status": "todo",
                  "archived": False}],
    ),
]  # fmt: skip
