"""Uploads over HTTP: bytes inside the request, and addresses for larger files."""

import msgspec

from stowboard.api.endpoint import BASE_PATH, MEBIBYTE, Answer, AnyCall, Call, Endpoint
from stowboard.api.forms import FormFile
from stowboard.blobs.store import BlobStore
from stowboard.core.errors import TooManyItems
from stowboard.db.database import Database, Tx
from stowboard.media.assets import asset_store, inline, presigned
from stowboard.media.assets.stored_content import StoredContent
from stowboard.media.assets.upload_bodies import FileUploadBody, ImageUploadBody, PresignedBody, UploadBody
from stowboard.media.assets.wire import EXAMPLE, AssetView, etag, view
from stowboard.media.base.asset import Asset, AssetKind
from stowboard.media.base.errors import AssetNotFound, InvalidBase64, InvalidMedia
from stowboard.media.base.links import MediaLinks
from stowboard.media.base.settings import MediaSettings
from stowboard.media.base.sniff import UNKNOWN
from stowboard.media.base.storage import Storage
from stowboard.media.images.works import ImageWorks
from stowboard.media.uploads.base64_text import INSTEAD, MAX_BYTES, decode_base64, ways_to_send

UploadCall = Call[UploadBody, None]


class PresignedUpload(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Addresses to send the bytes of an asset to. They are secrets: whoever has one may send the bytes."""

    #: Of the asset.
    id: str
    upload_url: str
    method: str = "PUT"
    headers: dict[str, str]
    tus_upload_url: str
    expires_at: int


async def upload_image(tx: Tx, call: Call[ImageUploadBody, None], stored: StoredContent) -> Answer:
    """Upload an image, its bytes in base64 or in a form.

    Only bytes that decode as an image are taken. The asset is `ready` when it is answered. The `placeholder` of a large
    JPEG is null in the answer; a job adds it at once after. At most 10 MiB of base64 text, which is a file of 7.5 MiB;
    larger ones by `POST /media/upload/presigned`.
    """
    return await _create(tx, call, AssetKind.IMAGE, stored)


async def upload_file(tx: Tx, call: UploadCall, stored: StoredContent) -> Answer:
    """Upload a file of any type, its bytes in base64 or in a form.

    The asset is `ready` when it is answered. At most 10 MiB of base64 text, which is a file of 7.5 MiB;
    larger ones by `POST /media/upload/presigned`.
    """
    return await _create(tx, call, AssetKind.FILE, stored)


async def presign_upload(tx: Tx, call: Call[PresignedBody, None]) -> Answer:
    """Announce an upload, and get the address to send its bytes to.

    Send them with one `PUT` to `uploadUrl`, or resumably with TUS to `tusUploadUrl`; neither needs a token. A new asset
    is `pending` until then, and is not listed. With `assetId`, the bytes replace those of an asset that exists.
    """
    max_bytes = call.use(MediaSettings).max_upload_bytes
    if call.body.size <= max_bytes:
        call.use(Storage).require_space(call.body.size)
        await call.use(Storage).require_room(tx, call.caller.owner, call.body.size)
    upload, token = await presigned.announce_upload(tx, call.caller, call.body, max_bytes)
    shown = PresignedUpload(
        id=upload.subject,
        upload_url=call.use(MediaLinks).put(call.origin, token),
        headers={"Content-Type": upload.mime_type or UNKNOWN},
        tus_upload_url=call.use(MediaLinks).tus(call.origin, token),
        expires_at=upload.expires_at,
    )
    return Answer(shown, headers=_made(call, await asset_store.get(tx, upload.subject)))


async def _keep_image(call: Call[ImageUploadBody, None]) -> StoredContent:
    data = await _decode(call)
    strip = bool(call.body.strip_location) or call.use(MediaSettings).strip_location
    return await inline.keep_image(
        call.use(Database), call.use(BlobStore), call.use(ImageWorks), data, strip_location=strip
    )


async def _keep_file(call: UploadCall) -> StoredContent:
    data = await _decode(call)
    return await inline.keep_file(call.use(Database), call.use(BlobStore), data, call.body.filename)


async def _decode(call: UploadCall) -> bytes:
    """The bytes, after all other members and the storage limits were checked."""
    inline.check_names(call.body)
    data = await decode_base64("data", call.body.data)
    call.use(Storage).require_space(len(data))
    await call.use(Database).read(call.use(Storage).require_room, call.caller.owner, len(data))
    return data


async def _create(tx: Tx, call: UploadCall, kind: AssetKind, stored: StoredContent) -> Answer:
    await call.use(Storage).require_room(tx, call.caller.owner, stored.size)
    asset = await inline.create_asset(tx, call.caller, kind, call.body, stored)
    return Answer(view(call, asset), headers=_made(call, asset))


def _made(call: AnyCall, asset: Asset) -> tuple[tuple[str, str], ...]:
    return ("location", f"{call.origin}{BASE_PATH}/media/assets/{asset.id}"), ("etag", etag(asset))


_WRITE = "media:write"
_LOCATION = {"Location": "Where the asset is."}
#: The text may have 10 MiB; the rest is for other members and for encoders that write `/` as `\\/`.
MAX_BODY = 11 * MEBIBYTE
_FORM = FormFile("data", MAX_BYTES, lists=("tags",), json=("focalPoint", "metadata", "stripLocation"))
_AS_FORM = f"{ways_to_send('data')} Or in the part `file` of a multipart/form-data form."
#: An image of one pixel.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg=="
_EXAMPLE_BODY = {"filename": "harbour.png", "data": PNG, "tags": ["holiday"]}
_FILE_EXAMPLE = EXAMPLE | {
    "kind": "file", "filename": "notes.txt", "originalName": "notes.txt", "mimeType": "text/plain", "size": 5,
    "url": "https://files.example.com/cdn/ast_01kbr2x4q8e9w6y3t7n5m1c0vz/v1/original/notes.txt",
    "thumbnailUrl": None,
    "width": None, "height": None, "alt": None, "focalPoint": None, "placeholder": None,
    "takenAt": None, "camera": None, "location": None, "preview": "hello",
}  # fmt: skip

ENDPOINTS = [
    Endpoint(
        "POST", "/media/upload/image", upload_image, AssetView, scope=_WRITE, body=ImageUploadBody, status=201,
        prepare=_keep_image, max_body=MAX_BODY, if_too_large=INSTEAD, form=_FORM, if_form=_AS_FORM,
        errors=[InvalidBase64, InvalidMedia, TooManyItems],
        headers=_LOCATION, example=EXAMPLE, example_body=_EXAMPLE_BODY,
    ),
    Endpoint(
        "POST", "/media/upload/file", upload_file, AssetView, scope=_WRITE, body=FileUploadBody, status=201,
        prepare=_keep_file, max_body=MAX_BODY, if_too_large=INSTEAD, form=_FORM, if_form=_AS_FORM,
        errors=[InvalidBase64, TooManyItems],
        headers=_LOCATION, example=_FILE_EXAMPLE, example_body={"filename": "notes.txt", "data": "aGVsbG8="},
    ),
    Endpoint(
        "POST", "/media/upload/presigned", presign_upload, PresignedUpload, scope=_WRITE, body=PresignedBody,
        status=201, secret=True, errors=[AssetNotFound, TooManyItems],
        example={
            "id": "ast_01kbr2x4q8e9w6y3t7n5m1c0vz", "method": "PUT", "headers": {"Content-Type": "application/zip"},
            "uploadUrl": "https://files.example.com/uploads/put/9vZ2kXcQ0mB7yR4tW1nE8sLpJ6hG3dFa5uT0iOqYxKc",
            "tusUploadUrl": "https://files.example.com/uploads/tus/9vZ2kXcQ0mB7yR4tW1nE8sLpJ6hG3dFa5uT0iOqYxKc",
            "expiresAt": 1794703600000,
        },
        example_body={"filename": "archive.zip", "size": 734003200, "mimeType": "application/zip"},
    ),
]  # fmt: skip
