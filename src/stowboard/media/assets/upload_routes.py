"""Uploads over HTTP: bytes inside the request, new or in place of an asset's, and addresses for larger files.

A replacement of a wrong size or another kind is refused at once. A job finds out whether an image is whole; until then
the asset serves its old bytes.
"""

import msgspec

from stowboard.api.endpoint import MEBIBYTE, Answer, Call, Endpoint
from stowboard.api.forms import FormFile
from stowboard.blobs.keys import new_key
from stowboard.blobs.store import BlobStore
from stowboard.core.errors import InTrash, TooManyItems
from stowboard.db.database import Database, Tx
from stowboard.media.assets import asset_store, inline, presigned
from stowboard.media.assets.content_store import StoredContent
from stowboard.media.assets.inline import BLOB_KIND
from stowboard.media.assets.processing import process_later
from stowboard.media.assets.upload_bodies import FileUploadBody, ImageUploadBody, PresignedBody, ReplaceBody, UploadBody
from stowboard.media.assets.wire import EXAMPLE, AssetView, headers_of_new, view
from stowboard.media.base import sniff
from stowboard.media.base.asset import AssetKind, AssetStatus, IncomingBytes
from stowboard.media.base.errors import InvalidBase64, InvalidMedia, ReplaceInProgress, SizeMismatch
from stowboard.media.base.filename import check_filename, clean_filename
from stowboard.media.base.image_types import IMAGE_TYPES
from stowboard.media.base.links import MediaLinks
from stowboard.media.base.settings import MediaSettings
from stowboard.media.base.storage import Storage
from stowboard.media.uploads.base64_text import INSTEAD, MAX_BYTES, decode_base64, ways_to_send

_NO_FAMILY = "unknown"
UploadCall = Call[UploadBody, None]


class Replacement(msgspec.Struct, frozen=True, rename="camel"):
    """A replacement in progress. `version` is that of the new bytes."""

    asset_id: str
    version: int
    processing_status: AssetStatus


async def replace_asset(tx: Tx, call: Call[ReplaceBody, None], asset_id: str, incoming: IncomingBytes) -> Replacement:
    """Replace the bytes of an asset; its id, words and tags stay.

    The old bytes are served until the new ones are processed: poll the asset until `processingStatus` is `ready`.
    An image is replaced by an image only.
    """
    before = await asset_store.lock(tx, call.access, asset_id)
    if before.status is AssetStatus.PROCESSING:
        raise ReplaceInProgress
    await call.use(Storage).require_room(tx, incoming.sent_by, incoming.size)
    asset = await process_later(tx, before, msgspec.structs.replace(incoming, author=tx.author))
    return Replacement(asset.id, asset.version + (asset.blob_key is not None), asset.status)


async def _keep(call: Call[ReplaceBody, None], asset_id: str) -> IncomingBytes:
    """Store the bytes. Raises AssetNotFound, SizeMismatch, InvalidMedia, InvalidBase64 or ValidationFailed."""
    body, db = call.body, call.use(Database)
    call.use(Storage).require_space(body.size)
    await db.read(call.use(Storage).require_room, call.caller.owner, body.size)
    asset = await db.read(asset_store.get_usable, call.access, asset_id)
    check_filename("originalName", body.original_name)
    data = await decode_base64("imageData", body.image_data)
    if len(data) != body.size:
        raise SizeMismatch(f"size is {body.size}, but imageData has {len(data)} bytes.")
    _check_type(asset.kind, body.mime_type, data[: sniff.SNIFF_BYTES])
    key = new_key(BLOB_KIND)
    written = await call.use(BlobStore).put_bytes(key, data)
    name = clean_filename(body.original_name)
    return IncomingBytes(key, len(data), name, body.mime_type, call.caller.owner, written.sha256)


def _check_type(kind: AssetKind, declared: str, head: bytes) -> None:
    seen = sniff.sniff(head)
    if kind is AssetKind.IMAGE and seen not in IMAGE_TYPES:
        raise InvalidMedia(f"The asset is an image and stays one; the bytes are {seen or 'of no known image type'}.")
    if seen is not None and _family(declared) not in (_family(sniff.mime_type(head, declared, "")), _NO_FAMILY):
        raise InvalidMedia(f"mimeType says {declared}, but the bytes are {seen}.")


def _family(mime_type: str) -> str:
    """The part before the slash, such as `image`."""
    return _NO_FAMILY if mime_type == sniff.UNKNOWN else mime_type.partition("/")[0].lower()


class PresignedUpload(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Addresses to send the bytes of an asset to. They are secrets: whoever has one may send the bytes."""

    #: The id of the asset.
    id: str
    upload_url: str
    method: str = "PUT"
    headers: dict[str, str]
    tus_upload_url: str
    expires_at: int


async def upload_image(tx: Tx, call: Call[ImageUploadBody, None], stored: StoredContent) -> Answer:
    """Upload an image, its bytes in base64 or in a form.

    Only bytes that decode as an image are taken. The asset is `ready` when it is answered. The `placeholder` of a large
    JPEG is null in the answer; a job adds it right after. At most 10 MiB of base64 text, which is a file of 7.5 MiB;
    send larger ones by `POST /media/upload/presigned`.
    """
    return await _create(tx, call, AssetKind.IMAGE, stored)


async def upload_file(tx: Tx, call: UploadCall, stored: StoredContent) -> Answer:
    """Upload a file of any type, its bytes in base64 or in a form.

    The asset is `ready` when it is answered. At most 10 MiB of base64 text, which is a file of 7.5 MiB;
    send larger ones by `POST /media/upload/presigned`.
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
    upload, token = await presigned.announce_upload(tx, call.access, call.body, max_bytes)
    shown = PresignedUpload(
        id=upload.subject,
        upload_url=call.use(MediaLinks).put(call.origin, token),
        headers={"Content-Type": upload.mime_type or sniff.UNKNOWN},
        tus_upload_url=call.use(MediaLinks).tus(call.origin, token),
        expires_at=upload.expires_at,
    )
    return Answer(shown, headers=headers_of_new(call, await asset_store.get(tx, call.access, upload.subject)))


async def _keep_image(call: Call[ImageUploadBody, None]) -> StoredContent:
    data = await _decode(call)
    strip = bool(call.body.strip_location) or call.use(MediaSettings).strip_location
    return await inline.keep_image(call.services, data, strip_location=strip)


async def _keep_file(call: UploadCall) -> StoredContent:
    data = await _decode(call)
    return await inline.keep_file(call.use(BlobStore), data, call.body.filename)


async def _decode(call: UploadCall) -> bytes:
    """The bytes, after all other members and the storage limits were checked."""
    inline.check_names(call.body)
    call.access.in_media(call.body.space_id)
    data = await decode_base64("data", call.body.data)
    call.use(Storage).require_space(len(data))
    await call.use(Database).read(call.use(Storage).require_room, call.caller.owner, len(data))
    return data


async def _create(tx: Tx, call: UploadCall, kind: AssetKind, stored: StoredContent) -> Answer:
    await call.use(Storage).require_room(tx, call.caller.owner, stored.size)
    asset = await inline.create_asset(tx, call.access, kind, call.body, stored, call.use(BlobStore))
    return Answer(view(call, asset), headers=headers_of_new(call, asset))


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
        status=201, secret=True, errors=[InTrash, TooManyItems],
        example={
            "id": "ast_01kbr2x4q8e9w6y3t7n5m1c0vz", "method": "PUT", "headers": {"Content-Type": "application/zip"},
            "uploadUrl": "https://files.example.com/uploads/put/9vZ2kXcQ0mB7yR4tW1nE8sLpJ6hG3dFa5uT0iOqYxKc",
            "tusUploadUrl": "https://files.example.com/uploads/tus/9vZ2kXcQ0mB7yR4tW1nE8sLpJ6hG3dFa5uT0iOqYxKc",
            "expiresAt": 1794703600000,
        },
        example_body={"filename": "archive.zip", "size": 734003200, "mimeType": "application/zip"},
    ),
    Endpoint(
        "POST", "/media/assets/{asset_id}/replace", replace_asset, Replacement, scope="media:write", body=ReplaceBody,
        prepare=_keep, max_body=MAX_BODY,
        if_too_large=f"{INSTEAD.removesuffix('.')} and its assetId.", if_form=ways_to_send("imageData"),
        errors=[InTrash, InvalidBase64, InvalidMedia, SizeMismatch, ReplaceInProgress],
        example={"assetId": "ast_01kbr2x4q8e9w6y3t7n5m1c0vz", "version": 2, "processingStatus": "processing"},
        example_body={
            "mimeType": "image/png", "originalName": "harbour.png", "size": 67, "imageData": PNG,
        },
    ),
]  # fmt: skip
