"""Assets as JSON in answers.

`thumbnailUrl` saves lists a request for each picture. That of a protected asset is signed for an hour, if the caller
may mint one, and stays the same for half an hour, so that browsers use their cache. It opens only the thumbnail.
"""

import msgspec

from stowboard.api.endpoint import BASE_PATH, AnyCall
from stowboard.core.caller import Caller
from stowboard.core.reach import space_id_of
from stowboard.core.signing import Keyring
from stowboard.media.base import signed_urls
from stowboard.media.base.asset import Asset, AssetKind, AssetStatus, FocalPoint, Location, MediaVisibility, Placeholder
from stowboard.media.base.errors import ContentDamaged
from stowboard.media.base.links import MediaLinks

_THUMBNAIL = "thumbnail"
_SEES_PLACES = "media:write"
_THUMBNAIL_SECONDS = 3600
_THUMBNAIL_CELLS = 2


class ProcessingError(msgspec.Struct, frozen=True):
    """The reason why the bytes cannot be used; the version before, if there is one, is still served. A `ready` asset
    may have `content_damaged`: its bytes are damaged in the store and not served; or `preview_failed`: it is served,
    but has no pages, duration or thumbnail."""

    code: str
    message: str


class AssetView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An asset."""

    id: str
    kind: AssetKind
    filename: str
    original_name: str | None
    url: str | None
    thumbnail_url: str | None
    tags: list[str]
    mime_type: str
    size: int
    checksum: str | None
    width: int | None
    height: int | None
    alt: str | None
    title: str | None
    focal_point: FocalPoint | None
    placeholder: Placeholder | None
    processing_status: AssetStatus
    processing_error: ProcessingError | None
    visibility: MediaVisibility
    allowed_namespaces: list[str] | None
    version: int
    space_id: str
    created_by: str
    created_at: int
    updated_at: int
    replaced_at: int | None
    metadata: dict[str, str]
    taken_at: int | None
    camera: str | None
    #: Only for callers that may change assets; null for others.
    location: Location | None
    frames: int | None
    pages: int | None
    #: Seconds.
    duration: float | None
    #: The beginning of a text; null if the caller may not read the bytes.
    preview: str | None
    #: The time when it was put into the trash. Its addresses are null then.
    trashed_at: int | None


def view(call: AnyCall, asset: Asset) -> AssetView:
    return show(call.use(MediaLinks), call.origin, asset, call)


def show(links: MediaLinks, origin: str, asset: Asset, call: AnyCall | None = None) -> AssetView:
    """`call` is None for a client that has no token, only the address of an upload."""
    caller = call.caller if call is not None else None
    return AssetView(
        id=asset.id,
        kind=asset.kind,
        filename=asset.filename,
        original_name=asset.original_name,
        url=links.delivery(origin, asset) if asset.served_key is not None and asset.trashed_at is None else None,
        thumbnail_url=_thumbnail_url(links, origin, asset, call),
        tags=asset.tags,
        mime_type=asset.mime_type,
        size=asset.size,
        checksum=f"sha256:{asset.sha256}" if asset.sha256 is not None else None,
        width=asset.width,
        height=asset.height,
        alt=asset.alt,
        title=asset.title,
        focal_point=asset.focal_point,
        placeholder=asset.placeholder,
        processing_status=asset.status,
        processing_error=_error(asset),
        visibility=asset.visibility,
        allowed_namespaces=asset.allowed_namespaces,
        version=asset.version,
        space_id=space_id_of(asset.space),
        created_by=asset.created_by,
        created_at=asset.created_at,
        updated_at=asset.updated_at,
        replaced_at=asset.replaced_at,
        metadata=asset.metadata,
        taken_at=asset.taken_at,
        camera=asset.camera,
        location=asset.location if caller is not None and _SEES_PLACES in caller.scopes else None,
        frames=asset.frames,
        pages=asset.pages,
        duration=asset.duration_ms / 1000 if asset.duration_ms is not None else None,
        preview=asset.preview if _may_read(caller, asset) else None,
        trashed_at=asset.trashed_at,
    )


def etag(asset: Asset) -> str:
    """Tells two states of an asset apart: every change also changes `updatedAt`."""
    return f'"{asset.version}-{asset.updated_at}"'


def headers_of_new(call: AnyCall, asset: Asset) -> tuple[tuple[str, str], ...]:
    return ("location", f"{call.origin}{BASE_PATH}/media/assets/{asset.id}"), ("etag", etag(asset))


def _thumbnail_url(links: MediaLinks, origin: str, asset: Asset, call: AnyCall | None) -> str | None:
    if not asset.has_picture or asset.blob_key is None or asset.trashed_at is not None:
        return None
    if asset.visibility is MediaVisibility.PUBLIC:
        return links.delivery(origin, asset, _THUMBNAIL)
    if call is None or not signed_urls.may_mint(call.caller, asset):
        return None
    keyring, epoch = call.use(Keyring), call.caller.reach.epoch_of(asset.space)
    lasts, through = (_THUMBNAIL_SECONDS, _THUMBNAIL_CELLS), call.caller.through
    signed = signed_urls.sign(keyring, asset, epoch, _THUMBNAIL, None, *lasts, through=through)
    return f"{links.delivery(origin, asset, _THUMBNAIL)}?{signed.text}"


def _may_read(caller: Caller | None, asset: Asset) -> bool:
    """True if the caller may have the bytes: not everybody who sees a bound asset may."""
    return asset.visibility is MediaVisibility.PUBLIC or (caller is not None and signed_urls.may_mint(caller, asset))


def _error(asset: Asset) -> ProcessingError | None:
    if asset.damaged_at is not None and asset.status is not AssetStatus.FAILED:
        return ProcessingError(ContentDamaged.code, ContentDamaged.message)
    return ProcessingError(asset.error_code, asset.error_message or "") if asset.error_code is not None else None


EXAMPLE = {
    "id": "ast_01kbr2x4q8e9w6y3t7n5m1c0vz", "kind": "image", "filename": "harbour.jpg", "originalName": "IMG_2041.jpg",
    "url": "https://files.example.com/cdn/ast_01kbr2x4q8e9w6y3t7n5m1c0vz/v1/original/harbour.jpg",
    "thumbnailUrl": "https://files.example.com/cdn/ast_01kbr2x4q8e9w6y3t7n5m1c0vz/v1/thumbnail/harbour.jpg",
    "tags": ["holiday"], "mimeType": "image/jpeg", "size": 482133,
    "checksum": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "width": 4000,
    "height": 3000, "alt": "Boats at dawn", "title": None, "focalPoint": {"x": 0.5, "y": 0.4},
    "placeholder": {"thumbhash": "1QcSHQRnh493V4dIh4eXh1h4kJUI", "dominantColor": "#3a5b78"},
    "processingStatus": "ready", "processingError": None, "visibility": "public", "allowedNamespaces": None,
    "version": 1, "spaceId": "spc_library", "createdBy": "alice", "createdAt": 1794700000000,
    "updatedAt": 1794700000000, "replacedAt": None,
    "metadata": {"order": "4711"}, "takenAt": 1794690000000, "camera": "Apple iPhone 17",
    "location": {"latitude": 53.545, "longitude": 9.966}, "frames": None, "pages": None, "duration": None,
    "preview": None, "trashedAt": None,
}  # fmt: skip
