"""Assets over HTTP: found, read, changed and deleted."""

import msgspec
from msgspec import UNSET

from stowboard.api.endpoint import Answer, Call, Deleted, Endpoint, NoMeta, PageMeta
from stowboard.api.paging import Page
from stowboard.core.caller import Access
from stowboard.core.errors import Conflict, InsufficientRole, InTrash, TooManyItems
from stowboard.core.metadata import checked_metadata
from stowboard.core.preconditions import check_if_match, etag_of_answer
from stowboard.core.reach import Role, space_id_of
from stowboard.core.tags import checked_tags
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.media.assets import asset_store, bulk, listing, transfer
from stowboard.media.assets.bodies import (
    AssetIdsBody,
    AssetPatchBody,
    AssetsQuery,
    MediaSpaceBody,
    TransferAssetsBody,
)
from stowboard.media.assets.keep import check_visibility, keep_many
from stowboard.media.assets.remove import remove_asset
from stowboard.media.assets.upload_bodies import check_texts
from stowboard.media.assets.wire import EXAMPLE, AssetView, etag, headers_of_new, view
from stowboard.media.base.asset import Asset, MediaVisibility
from stowboard.media.base.errors import AssetNotReady, ContentDamaged, NamespaceNotAllowed, VisibilityBound
from stowboard.media.base.filename import check_filename, clean_filename
from stowboard.media.base.listing import cursor_binding, require_alone
from stowboard.media.base.storage import Storage
from stowboard.media.base.uses import MediaUses
from stowboard.search.filling import SearchNotReady


async def edit_asset(tx: Tx, access: Access, asset_id: str, body: AssetPatchBody, if_match: str | None) -> Asset:
    """Raises AssetNotFound, PreconditionFailed, AdminRequired, TooManyItems or ValidationFailed."""
    asset = await asset_store.lock(tx, access, asset_id)
    check_if_match(if_match, etag(asset))
    edited = _edited(asset, body)
    check_visibility(access, asset, edited)
    (edited,) = await keep_many(tx, [(asset, edited)])
    return edited


def _edited(asset: Asset, body: AssetPatchBody) -> Asset:
    given = {name: value for name, value in msgspec.structs.asdict(body).items() if value is not UNSET}
    if "filename" in given:
        check_filename("filename", given["filename"])
        given["filename"] = clean_filename(given["filename"])
    check_texts(given.get("title"), given.get("alt"))
    if "tags" in given:
        given["tags"] = checked_tags(given["tags"] or [])
    if "metadata" in given:
        given["metadata"] = checked_metadata(given["metadata"] or {})
    return msgspec.structs.replace(asset, **given)


class MissingMeta(NoMeta, frozen=True):
    """`meta` of a look-up by ids: the ids that no asset has."""

    missing: list[str]


async def list_assets(tx: Tx, call: Call[None, AssetsQuery]) -> Answer:
    """List assets, newest first unless `sort` says otherwise.

    A page may be shorter than its limit although more follow: go by `meta.hasMore`. Only `processingStatus=pending`
    lists assets whose bytes have not arrived, and only `trashed=only` those in the trash.
    """
    word = call.query.space_id or None
    if call.query.trashed:
        require_alone(call.query)
        page = Page(call, "trashed assets", word, call.caller.owner)
        trash = await listing.list_trashed_assets(tx, call.access.over_media(word), page.after, page.size)
        return page.answer([view(call, asset) for asset in trash.items], trash.end)
    filters = call.query.filters(call.access.over_media(word))
    page = Page(call, "assets", cursor_binding(filters, word, call.caller.owner))
    listed = await listing.list_assets(tx, filters, page.after, page.size, call.use(MediaUses))
    return page.answer([view(call, asset) for asset in listed.items], listed.end)


async def get_asset(tx: Tx, call: Call[None, None], asset_id: str) -> Answer:
    """Read one asset."""
    asset = await asset_store.get(tx, call.access, asset_id)
    shown, tag = view(call, asset), etag(asset)
    if asset.visibility is not MediaVisibility.PUBLIC and shown.thumbnail_url is not None:
        # Its thumbnailUrl expires although the asset does not change.
        tag = etag_of_answer(tag, shown.thumbnail_url.encode())
    return Answer(shown, headers=(("etag", tag),))


async def get_assets_by_ids(tx: Tx, call: Call[AssetIdsBody, None]) -> Answer:
    """Read up to 100 assets by their ids, in the order of the ids, each once."""
    assets, missing = await bulk.find_assets(tx, call.access, call.body.ids)
    return Answer([view(call, asset) for asset in assets], MissingMeta(missing))


async def update_asset(tx: Tx, call: Call[AssetPatchBody, None], asset_id: str) -> Answer:
    """Change words, tags, metadata, focal point or visibility of an asset.

    Omitted members keep their values; null clears `alt`, `title`, `focalPoint`, `tags` and `metadata`. A change of
    `visibility` ends every signed URL. Only admins may change the visibility of an asset with a namespace binding.
    """
    asset = await edit_asset(tx, call.access, asset_id, call.body, call.if_match)
    return Answer(view(call, asset), headers=(("etag", etag(asset)),))


async def delete_asset(tx: Tx, call: Call[None, None], asset_id: str) -> Deleted:
    """Delete an asset for good, with its bytes. Every link to it stops working at once."""
    asset = await remove_asset(tx, call.access, asset_id, call.if_match, call.use(MediaUses))
    await audit.record_in(tx, call.caller, asset.space, "asset.delete", asset_id)
    return Deleted(asset_id)


async def transfer_assets(tx: Tx, call: Call[TransferAssetsBody, None]) -> list[AssetView]:
    """Transfer up to 100 assets to another space, all or none.

    Ids, words and bytes stay; all signed URLs end, and so do earlier versions, unless `versions` is true. An asset that
    leaves the Library becomes protected. An asset that is attached to a task outside of the new space is refused: copy
    it instead.
    """
    space = call.access.in_media(call.body.space_id)
    ids, uses, versions = call.body.ids, call.use(MediaUses), bool(call.body.versions)
    assets = await transfer.transfer_assets(tx, call.access, ids, space, uses, keep_versions=versions)
    moved = [asset.id for asset in assets]
    await audit.record_in(tx, call.caller, space, "asset.transfer", space_id_of(space), ids=moved)
    return [view(call, asset) for asset in assets]


async def copy_asset(tx: Tx, call: Call[MediaSpaceBody, None], asset_id: str) -> Answer:
    """Copy an asset that you can see into a space in which you are editor.

    The copy has the same bytes, words, visibility and namespace binding.
    """
    space = call.access.needing(Role.EDITOR).in_media(call.body.space_id)
    asset = await transfer.copy_asset(tx, call.access, asset_id, space)
    await call.use(Storage).require_room(tx, call.caller.owner, 0)
    return Answer(view(call, asset), headers=headers_of_new(call, asset))


_READ, _WRITE, _DELETE = "media:read", "media:write", "media:delete"
_ID, _OTHER = "ast_01kbr2x4q8e9w6y3t7n5m1c0vz", "ast_01kbr2x4q8e9w6y3t7n5m1c0w0"
_ETAG = {"ETag": "The state of the asset, for If-Match."}
_IF_MATCH = {"If-Match": "The ETag of the state that the change is for; another one is answered with 412."}

ENDPOINTS = [
    Endpoint(
        "GET", "/media/assets", list_assets, list[AssetView], scope=_READ, query=AssetsQuery, meta=PageMeta,
        errors=[TooManyItems, SearchNotReady], example=[EXAMPLE],
    ),
    Endpoint(
        "POST", "/media/assets/by-ids", get_assets_by_ids, list[AssetView], scope=_READ, body=AssetIdsBody,
        meta=MissingMeta, reads=True, errors=[TooManyItems], example=[EXAMPLE], example_body={"ids": [_ID]},
    ),
    Endpoint(
        "POST", "/media/assets/transfer", transfer_assets, list[AssetView], scope=_DELETE, body=TransferAssetsBody,
        errors=[AssetNotReady, NamespaceNotAllowed, VisibilityBound, Conflict, TooManyItems],
        example=[EXAMPLE], example_body={"ids": [_ID], "spaceId": "spc_library"},
    ),
    Endpoint(
        "POST", "/media/assets/{asset_id}/copy", copy_asset, AssetView, scope=_WRITE, role=Role.VIEWER,
        body=MediaSpaceBody, status=201,
        errors=[InsufficientRole, InTrash, AssetNotReady, NamespaceNotAllowed, ContentDamaged],
        headers={"Location": "Where the copy is."}, example=EXAMPLE, example_body={"spaceId": "own"},
    ),
    Endpoint(
        "GET", "/media/assets/{asset_id}", get_asset, AssetView, scope=_READ, headers=_ETAG,
        revalidates=True, example=EXAMPLE,
    ),
    Endpoint(
        "PATCH", "/media/assets/{asset_id}", update_asset, AssetView, scope=_WRITE, body=AssetPatchBody,
        takes=_IF_MATCH, headers=_ETAG, example=EXAMPLE, errors=[InTrash, VisibilityBound, TooManyItems],
        example_body={"alt": "Boats at dawn", "focalPoint": {"x": 0.5, "y": 0.4}, "visibility": "protected"},
    ),
    Endpoint(
        "DELETE", "/media/assets/{asset_id}", delete_asset, Deleted, scope=_DELETE, takes=_IF_MATCH,
        example={"id": _ID, "deleted": True},
    ),
]  # fmt: skip
