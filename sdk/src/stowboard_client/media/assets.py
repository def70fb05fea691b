"""Images and files: listing, changing and deleting them. `uploads` makes them.

In `update_asset`, an omitted member keeps its value and None clears it. With `if_match=asset.etag` the change happens
only if the asset has not changed since it was read.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec import UNSET

from stowboard_client.tags import Tag, TagRename
from stowboard_client.transport.call import Call, Deleted, Maybe, Model, at_state, data, members, path, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import D, Operation, Resource

Kind: TypeAlias = Literal["image", "file"]
Visibility: TypeAlias = Literal["public", "protected"]
ProcessingStatus: TypeAlias = Literal["pending", "processing", "ready", "failed"]
Sort: TypeAlias = Literal[
    "-createdAt", "createdAt", "-updatedAt", "updatedAt", "filename", "-size", "size", "-takenAt", "takenAt"
]


class FocalPoint(Model, frozen=True, kw_only=True):
    """The point that stays in a cropped image: 0 to 1 from the left and from the top."""

    x: float
    y: float


class Location(Model, frozen=True, kw_only=True):
    """A place in degrees: north and east are positive."""

    latitude: float
    longitude: float


class Placeholder(Model, frozen=True, kw_only=True):
    """A stand-in to show until the image has loaded."""

    thumbhash: str
    dominant_color: str


class ProcessingError(Model, frozen=True, kw_only=True):
    code: str
    message: str


class Asset(Model, frozen=True, kw_only=True):
    """Timestamps are milliseconds since the epoch."""

    id: str
    kind: str
    filename: str
    original_name: str | None
    #: None until the first bytes have arrived. For a protected asset it answers 403: sign a URL instead.
    url: str | None
    #: The class `thumbnail` of an image, PDF or sound, signed where needed; None if it has no thumbnail.
    thumbnail_url: str | None = None
    tags: tuple[str, ...]
    mime_type: str
    size: int
    checksum: str | None
    width: int | None
    height: int | None
    alt: str | None
    title: str | None
    focal_point: FocalPoint | None
    placeholder: Placeholder | None
    processing_status: str
    processing_error: ProcessingError | None
    visibility: str
    allowed_namespaces: tuple[str, ...] | None
    version: int
    created_by: str
    created_at: int
    updated_at: int
    replaced_at: int | None
    space_id: str = ""
    metadata: dict[str, str] = msgspec.field(default_factory=dict)
    #: Written by the camera. `location` is shown only to tokens that may change assets.
    taken_at: int | None = None
    camera: str | None = None
    location: Location | None = None
    #: Number of pictures of an animation.
    frames: int | None = None
    #: Pages of a PDF. This, `duration` and `thumbnail_url` of a file come a moment after its bytes.
    pages: int | None = None
    #: Length of audio, in seconds.
    duration: float | None = None
    #: The beginning of a text file, to be shown as text. None for tokens that may not read the bytes.
    preview: str | None = None
    #: The time at which it was put into the trash. In the trash it has no `url` and no `thumbnail_url`.
    trashed_at: int | None = None

    @property
    def etag(self) -> str:
        """For `if_match`."""
        return f'"{self.version}-{self.updated_at}"'


class Missing(Model, frozen=True, kw_only=True):
    missing: tuple[str, ...]


class FoundAssets(Model, frozen=True, kw_only=True):
    """Assets in the order of the request; `meta.missing` are the ids that no asset has."""

    items: tuple[Asset, ...] = msgspec.field(name="data")
    meta: Missing


class AssetUse(Model, frozen=True, kw_only=True):
    """A task that has the asset attached."""

    task_id: str
    title: str
    status: str
    archived: bool


class BatchTagged(Model, frozen=True, kw_only=True):
    updated: int
    missing: tuple[str, ...]


class BatchTrashed(Model, frozen=True, kw_only=True):
    trashed: int
    missing: tuple[str, ...]


class BatchRestored(Model, frozen=True, kw_only=True):
    restored: int
    missing: tuple[str, ...]


class BatchDeleted(Model, frozen=True, kw_only=True):
    deleted: int
    missing: tuple[str, ...]


class Figures(Model, frozen=True, kw_only=True):
    count: int
    bytes: int


NOTHING = Figures(count=0, bytes=0)


class AssetStats(Model, frozen=True, kw_only=True):
    count: int
    bytes: int
    by_kind: dict[str, Figures]
    by_status: dict[str, Figures]


class VideoStats(Model, frozen=True, kw_only=True):
    count: int
    bytes: int
    by_status: dict[str, Figures]


class UploadStats(Model, frozen=True, kw_only=True):
    active: int
    #: The announced size; or the number of bytes that have arrived, if that is larger.
    bytes: int


class Usage(Model, frozen=True, kw_only=True):
    bytes: int
    #: None if there is no limit.
    limit: int | None


class MadeStats(Model, frozen=True, kw_only=True):
    """Files that the service made of others. They count for no limit."""

    classes: Figures
    renditions: Figures


class StorageStats(Model, frozen=True, kw_only=True):
    bytes: int
    limit: int | None
    #: Free bytes on the disk; None for a bucket.
    free: int | None
    owner: Usage
    made: MadeStats = MadeStats(classes=NOTHING, renditions=NOTHING)


class MediaStats(Model, frozen=True, kw_only=True):
    assets: AssetStats
    videos: VideoStats
    uploads: UploadStats
    storage: StorageStats
    #: Earlier versions of assets, and what is in the trash; neither is among `assets` and `videos`.
    versions: Figures = NOTHING
    trash: Figures = NOTHING


def list_assets(
    *,
    kind: Kind | None = None,
    tags: str | Sequence[str] | None = None,
    mime_type: str | None = None,
    visibility: Visibility | None = None,
    processing_status: ProcessingStatus | None = None,
    q: str | None = None,
    created_after: int | None = None,
    created_before: int | None = None,
    updated_after: int | None = None,
    checksum: str | Sequence[str] | None = None,
    metadata: tuple[str, str] | None = None,
    sort: Sort | None = None,
    unused: bool | None = None,
    trashed: Literal["only"] | None = None,
    space: str | None = None,
    limit: int | None = None,
) -> Call[Page[Asset]]:
    """The assets for which every given filter holds, newest first. `mime_type` may be a family, `image/*`.

    Without `space`, assets of the Library; "all" is every space. `checksum` takes up to 50 of them. Assets whose bytes
    have not arrived are listed only with `processing_status="pending"`. `trashed="only"` without another filter lists
    the trash, the latest there first.
    """
    query = {
        "kind": kind,
        "tags": tags if tags is None or isinstance(tags, str) else ",".join(tags),
        "mimeType": mime_type,
        "visibility": visibility,
        "processingStatus": processing_status,
        "q": q,
        "createdAfter": created_after,
        "createdBefore": created_before,
        "updatedAfter": updated_after,
        "checksum": checksum if checksum is None or isinstance(checksum, str) else ",".join(checksum),
        "metadata": metadata and ":".join(metadata),
        "sort": sort,
        "unused": unused,
        "trashed": trashed,
        "limit": limit,
    }
    return Call("GET", "/media/assets", whole(Page[Asset]), query=query, space=space)


def get_asset(asset_id: str) -> Call[Asset]:
    return Call("GET", path("/media/assets/{}", asset_id), data(Asset))


def get_assets_by_ids(ids: Sequence[str]) -> Call[FoundAssets]:
    """The assets with these ids, at most 100."""
    return Call("POST", "/media/assets/by-ids", whole(FoundAssets), body=members(ids=ids))


def list_asset_uses(asset_id: str, *, limit: int | None = None) -> Call[Page[AssetUse]]:
    """The owner's tasks that have the asset attached, newest first. Needs `tasks:read` as well."""
    return Call("GET", path("/media/assets/{}/usage", asset_id), whole(Page[AssetUse]), query={"limit": limit})


def update_asset(
    asset_id: str,
    *,
    filename: Maybe[str] = UNSET,
    alt: Maybe[str | None] = UNSET,
    title: Maybe[str | None] = UNSET,
    tags: Maybe[Sequence[str] | None] = UNSET,
    focal_point: Maybe[FocalPoint | None] = UNSET,
    visibility: Maybe[Visibility] = UNSET,
    metadata: Maybe[Mapping[str, str] | None] = UNSET,
    if_match: str | None = None,
    idempotency_key: str | None = None,
) -> Call[Asset]:
    """Change the given members. A change of `visibility` ends all signed URLs of the asset."""
    content = members(
        filename=filename,
        alt=alt,
        title=title,
        tags=tags,
        focal_point=focal_point,
        visibility=visibility,
        metadata=metadata,
    )
    return Call(
        "PATCH", path("/media/assets/{}", asset_id), data(Asset), {}, content, at_state(if_match), idempotency_key
    )


def delete_asset(asset_id: str, *, if_match: str | None = None, idempotency_key: str | None = None) -> Call[Deleted]:
    """Delete an asset for good, with its bytes and every link to it."""
    address = path("/media/assets/{}", asset_id)
    return Call("DELETE", address, data(Deleted), headers=at_state(if_match), idempotency_key=idempotency_key)


def trash_asset(asset_id: str, *, idempotency_key: str | None = None) -> Call[Asset]:
    """Put an asset into the trash: all its addresses answer 404 until it is restored."""
    return Call("POST", path("/media/assets/{}/trash", asset_id), data(Asset), idempotency_key=idempotency_key)


def restore_asset(asset_id: str, *, idempotency_key: str | None = None) -> Call[Asset]:
    """Restore an asset from the trash."""
    return Call("POST", path("/media/assets/{}/restore", asset_id), data(Asset), idempotency_key=idempotency_key)


def batch_tag_assets(
    action: Literal["add", "remove"], ids: Sequence[str], tags: Sequence[str], *, idempotency_key: str | None = None
) -> Call[BatchTagged]:
    """Add tags to up to 100 assets and videos at once, or remove them."""
    body = members(action=action, ids=ids, tags=tags)
    return Call("POST", "/media/assets/batch-tags", data(BatchTagged), body=body, idempotency_key=idempotency_key)


def batch_trash_assets(ids: Sequence[str], *, idempotency_key: str | None = None) -> Call[BatchTrashed]:
    """Put up to 100 assets and videos into the trash."""
    body = members(ids=ids)
    return Call("POST", "/media/assets/batch-trash", data(BatchTrashed), body=body, idempotency_key=idempotency_key)


def batch_restore_assets(ids: Sequence[str], *, idempotency_key: str | None = None) -> Call[BatchRestored]:
    """Restore up to 100 assets and videos from the trash."""
    body = members(ids=ids)
    return Call("POST", "/media/assets/batch-restore", data(BatchRestored), body=body, idempotency_key=idempotency_key)


def batch_delete_assets(ids: Sequence[str], *, idempotency_key: str | None = None) -> Call[BatchDeleted]:
    """Delete up to 100 assets and videos for good."""
    body = members(ids=ids)
    return Call("POST", "/media/assets/batch-delete", data(BatchDeleted), body=body, idempotency_key=idempotency_key)


def transfer_assets(
    ids: Sequence[str], space: str, *, versions: bool = False, idempotency_key: str | None = None
) -> Call[list[Asset]]:
    """Transfer up to 100 assets to another space, all or none. All their signed URLs end, and so do their earlier
    versions unless `versions` is true."""
    body = members(ids=ids, space_id=space, versions=versions)
    return Call("POST", "/media/assets/transfer", data(list[Asset]), body=body, idempotency_key=idempotency_key)


def copy_asset(asset_id: str, space: str, *, idempotency_key: str | None = None) -> Call[Asset]:
    """Copy an asset into another space. The copy has the same bytes."""
    address, body = path("/media/assets/{}/copy", asset_id), members(space_id=space)
    return Call("POST", address, data(Asset), body=body, idempotency_key=idempotency_key)


def list_media_tags(*, space: str | None = None, limit: int | None = None) -> Call[Page[Tag]]:
    """The tags of assets, by name, with the number of assets that have each."""
    return Call("GET", "/media/tags", whole(Page[Tag]), query={"limit": limit}, space=space)


def rename_media_tag(
    old: str, new: str, *, space: str | None = None, idempotency_key: str | None = None
) -> Call[TagRename]:
    """Rename a tag of all assets and videos, or merge it into one that exists. More than 100 are left to a job."""
    body = members(**{"from": old, "to": new})
    return Call("POST", "/media/tags/rename", data(TagRename), body=body, idempotency_key=idempotency_key, space=space)


def get_media_tag_rename(rename_id: str) -> Call[TagRename]:
    """The progress of a rename that a job does."""
    return Call("GET", path("/media/tags/renames/{}", rename_id), data(TagRename))


def get_media_stats(*, space: str | None = None) -> Call[MediaStats]:
    """Number and size of assets and videos."""
    return Call("GET", "/media/stats", data(MediaStats), space=space)


class Assets(Resource[D]):
    list = Listing("listAssets", list_assets)
    get = Operation("getAsset", get_asset)
    by_ids = Operation("getAssetsByIds", get_assets_by_ids)
    usage = Listing("listAssetUses", list_asset_uses)
    update = Operation("updateAsset", update_asset)
    delete = Operation("deleteAsset", delete_asset)
    trash = Operation("trashAsset", trash_asset)
    restore = Operation("restoreAsset", restore_asset)
    batch_trash = Operation("batchTrashAssets", batch_trash_assets)
    batch_restore = Operation("batchRestoreAssets", batch_restore_assets)
    batch_tags = Operation("batchTagAssets", batch_tag_assets)
    batch_delete = Operation("batchDeleteAssets", batch_delete_assets)
    transfer = Operation("transferAssets", transfer_assets)
    copy = Operation("copyAsset", copy_asset)
    tags = Listing("listMediaTags", list_media_tags)
    rename_tag = Operation("renameMediaTag", rename_media_tag)
    tag_rename_progress = Operation("getMediaTagRename", get_media_tag_rename)
    stats = Operation("getMediaStats", get_media_stats)
