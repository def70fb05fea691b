"""Uploads by URL over HTTP."""

from stowboard.api.endpoint import Answer, Call, Endpoint
from stowboard.core.caller import Access
from stowboard.core.errors import TooManyItems, ValidationFailed
from stowboard.core.ids import is_id
from stowboard.db.database import Tx
from stowboard.http.outgoing.client import Outgoing
from stowboard.http.outgoing.failure import OutgoingFailed
from stowboard.media.assets import asset_store
from stowboard.media.base.asset import Asset
from stowboard.media.base.errors import UploadFromUrlOff, UploadNotFound
from stowboard.media.base.settings import MediaSettings
from stowboard.media.base.storage import Storage
from stowboard.media.fetching.bodies import FetchedKind, FromUrlBody, UrlUploadError, UrlUploadView
from stowboard.media.fetching.fetch import order_fetch
from stowboard.media.uploads import upload_store
from stowboard.media.videos import video_store
from stowboard.media.videos.video import Video


async def upload_from_url(tx: Tx, call: Call[FromUrlBody, None], allowed: None) -> Answer:  # noqa: ARG001
    """Have the service fetch an image, a file or a video from a URL.

    It is fetched after the answer, through the guard that webhooks go through: https, public addresses, and networks
    that the operator allows. Then it is processed as any other upload. The event `media.asset.ready`,
    `media.video.ready` or the failure of either tells that it has ended.
    """
    await call.use(Storage).require_room(tx, call.caller.owner, 1)
    subject = await order_fetch(tx, call.access, call.body)
    location = ("location", f"{call.origin}/api/v1/media/upload/from-url/{subject}")
    return Answer(await _view(tx, call.access, subject), headers=(location,))


async def get_upload_from_url(tx: Tx, call: Call[None, None], asset_or_video_id: str) -> UrlUploadView:
    """Read how far an upload by URL is, by the id of its asset or video."""
    return await _view(tx, call.access, asset_or_video_id)


async def _allow(call: Call[FromUrlBody, None]) -> None:
    if not call.use(MediaSettings).upload_from_url:
        raise UploadFromUrlOff
    call.access.in_media(call.body.space_id)
    try:
        await call.use(Outgoing).check(call.body.url, owner=call.caller.owner)
    except OutgoingFailed as reason:
        raise ValidationFailed(f"url: {reason}") from None


async def _view(tx: Tx, access: Access, subject: str) -> UrlUploadView:
    upload = await upload_store.find_latest(tx, access, subject)
    if upload is None:
        raise UploadNotFound
    if is_id("vid", subject):
        media: Asset | Video = await video_store.get(tx, access, subject)
    else:
        media = await asset_store.get(tx, access, subject)
    kind = FetchedKind(media.kind.value) if isinstance(media, Asset) else FetchedKind.VIDEO
    error = UrlUploadError(media.error_code, media.error_message or "") if media.error_code is not None else None
    return UrlUploadView(
        id=subject, kind=kind, status=media.status, received=upload.received, length=upload.length, error=error,
        created_at=upload.created_at, updated_at=upload.updated_at,
    )  # fmt: skip


_ID = "ast_01kbr2x4q8e9w6y3t7n5m1c0vz"
_EXAMPLE = {
    "id": _ID, "kind": "image", "status": "pending", "received": 0, "length": None, "error": None,
    "createdAt": 1794700000000, "updatedAt": 1794700000000,
}  # fmt: skip

ENDPOINTS = [
    Endpoint(
        "POST", "/media/upload/from-url", upload_from_url, UrlUploadView, scope="media:write", body=FromUrlBody,
        status=201, prepare=_allow, errors=[UploadFromUrlOff, TooManyItems],
        headers={"Location": "Where to read how far it is."}, example=_EXAMPLE,
        example_body={"url": "https://pictures.example.com/harbour.jpg", "tags": ["holiday"]},
    ),
    Endpoint(
        "GET", "/media/upload/from-url/{asset_or_video_id}", get_upload_from_url, UrlUploadView, scope="media:read",
        example=_EXAMPLE | {"received": 1048576, "length": 3145728},
    ),
]  # fmt: skip
