"""Uploads of images and files: inside a request up to 7.5 MiB, by a pre-signed address beyond.

`client.upload` (upload_by_size.py) chooses among these. A pre-signed upload is announced with `presigned`, which needs
the token, and sent with `put` or `send`, which do not: `put` is one request, `send` goes in pieces and goes on where it
broke off. `wait_until_ready` then waits for the processing, as it does after `replace`.
"""

import base64
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import BinaryIO, Literal

import httpx2
from msgspec import UNSET

from stowboard_client.errors import StowboardError, checked
from stowboard_client.media.assets import Asset, FocalPoint, Kind, Visibility, get_asset
from stowboard_client.media.delivery import CdnConfiguration, get_cdn
from stowboard_client.media.resumable import Progress, Source, ignore_progress, opened, send_file
from stowboard_client.transport.call import Call, Maybe, Model, data, members, path, space_beside
from stowboard_client.transport.resource import Conversation, D, Operation, Resource
from stowboard_client.transport.session import Session
from stowboard_client.transport.steps import Pause, Steps

_BLOCK = 256 * 1024


class AssetFailed(StowboardError):
    """The bytes could not be used; `asset.processing_error` says why."""

    def __init__(self, asset: Asset) -> None:
        super().__init__(asset)
        self.asset = asset

    def __str__(self) -> str:
        error = self.asset.processing_error
        reason = f": {error.code}: {error.message}" if error else ""
        return f"asset {self.asset.id} is {self.asset.processing_status}{reason}"


class Replacement(Model, frozen=True, kw_only=True):
    """New bytes that are being processed. `version` is the version that they will have."""

    asset_id: str
    version: int
    processing_status: str


class PresignedUpload(Model, frozen=True, kw_only=True):
    """Addresses that take the bytes of the asset `id`. The addresses are secrets."""

    id: str
    upload_url: str
    method: str
    headers: Mapping[str, str]
    tus_upload_url: str
    expires_at: int


class UrlUploadError(Model, frozen=True, kw_only=True):
    """Why the upload failed."""

    code: str
    message: str


class UrlUpload(Model, frozen=True, kw_only=True):
    """An upload by URL; `status` is that of the asset or the video."""

    id: str
    kind: str
    status: str
    received: int
    length: int | None
    error: UrlUploadError | None
    created_at: int
    updated_at: int


def upload_image(
    filename: str,
    content: bytes,
    *,
    tags: Maybe[Sequence[str]] = UNSET,
    visibility: Maybe[Visibility] = UNSET,
    alt: Maybe[str | None] = UNSET,
    title: Maybe[str | None] = UNSET,
    focal_point: Maybe[FocalPoint | None] = UNSET,
    original_name: Maybe[str | None] = UNSET,
    metadata: Maybe[Mapping[str, str] | None] = UNSET,
    strip_location: Maybe[bool | None] = UNSET,
    space: str | None = None,
    idempotency_key: str | None = None,
) -> Call[Asset]:
    """Upload a new image, which is ready at once. Raises InvalidMedia if the bytes are not an image.

    `strip_location` removes the place where it was taken, before the image is stored.
    """
    content_of = members(
        filename=filename, data=_base64(content), tags=tags, visibility=visibility, alt=alt, title=title,
        focal_point=focal_point, original_name=original_name, metadata=metadata, strip_location=strip_location,
    )  # fmt: skip
    return Call(
        "POST", "/media/upload/image", data(Asset), body=content_of, idempotency_key=idempotency_key, space=space
    )


def upload_file(
    filename: str,
    content: bytes,
    *,
    tags: Maybe[Sequence[str]] = UNSET,
    visibility: Maybe[Visibility] = UNSET,
    alt: Maybe[str | None] = UNSET,
    title: Maybe[str | None] = UNSET,
    focal_point: Maybe[FocalPoint | None] = UNSET,
    original_name: Maybe[str | None] = UNSET,
    metadata: Maybe[Mapping[str, str] | None] = UNSET,
    space: str | None = None,
    idempotency_key: str | None = None,
) -> Call[Asset]:
    """Upload a new file of any type, which is ready at once."""
    content_of = members(
        filename=filename, data=_base64(content), tags=tags, visibility=visibility, alt=alt, title=title,
        focal_point=focal_point, original_name=original_name, metadata=metadata,
    )  # fmt: skip
    return Call(
        "POST", "/media/upload/file", data(Asset), body=content_of, idempotency_key=idempotency_key, space=space
    )


def replace_asset(
    asset_id: str, content: bytes, *, mime_type: str, original_name: str, idempotency_key: str | None = None
) -> Call[Replacement]:
    """Replace the bytes of an asset, which keeps its id and all members. The new bytes are served once processed."""
    content_of = members(
        mime_type=mime_type, original_name=original_name, size=len(content), image_data=_base64(content)
    )
    address = path("/media/assets/{}/replace", asset_id)
    return Call("POST", address, data(Replacement), body=content_of, idempotency_key=idempotency_key)


def presign_upload(
    filename: str,
    size: int,
    *,
    mime_type: Maybe[str | None] = UNSET,
    kind: Maybe[Kind | None] = UNSET,
    tags: Maybe[Sequence[str]] = UNSET,
    visibility: Maybe[Visibility] = UNSET,
    metadata: Maybe[Mapping[str, str] | None] = UNSET,
    checksum: Maybe[str | None] = UNSET,
    strip_location: Maybe[bool | None] = UNSET,
    asset_id: Maybe[str | None] = UNSET,
    expires_in: Maybe[int] = UNSET,
    space: str | None = None,
    idempotency_key: str | None = None,
) -> Call[PresignedUpload]:
    """Announce exactly `size` bytes. With `asset_id` they replace the bytes of this asset.

    `checksum` is `sha256:` and 64 hexadecimal digits. `expires_in` are the seconds in which sending must begin.
    """
    content_of = members(
        filename=filename, size=size, mime_type=mime_type, kind=kind, tags=tags, visibility=visibility,
        metadata=metadata, checksum=checksum, strip_location=strip_location, asset_id=asset_id,
        expires_in=expires_in,
    )  # fmt: skip
    return Call(
        "POST", "/media/upload/presigned", data(PresignedUpload), body=content_of, idempotency_key=idempotency_key,
        space=space_beside(asset_id, space),
    )  # fmt: skip


def upload_from_url(
    url: str,
    *,
    kind: Maybe[Literal["image", "file", "video"] | None] = UNSET,
    filename: Maybe[str | None] = UNSET,
    title: Maybe[str | None] = UNSET,
    tags: Maybe[Sequence[str]] = UNSET,
    visibility: Maybe[Visibility] = UNSET,
    metadata: Maybe[Mapping[str, str] | None] = UNSET,
    space: str | None = None,
    idempotency_key: str | None = None,
) -> Call[UrlUpload]:
    """Have the service fetch an image, a file or a video. `id` of the answer is that of the asset or the video."""
    content = members(
        url=url, kind=kind, filename=filename, title=title, tags=tags, visibility=visibility, metadata=metadata
    )
    return Call(
        "POST", "/media/upload/from-url", data(UrlUpload), body=content, idempotency_key=idempotency_key, space=space
    )


def get_upload_from_url(asset_or_video_id: str) -> Call[UrlUpload]:
    """The state of an upload by URL."""
    return Call("GET", path("/media/upload/from-url/{}", asset_or_video_id), data(UrlUpload))


def put(
    session: Session, upload: PresignedUpload, source: Source, *, progress: Progress = ignore_progress
) -> Steps[Asset]:
    """Send all bytes in one request, read as they are sent. A new call starts from the first byte."""
    with opened(source) as (file, size):
        file.seek(0)
        url = httpx2.URL(upload.upload_url)
        headers = {**upload.headers, "host": url.netloc.decode(), "content-length": str(size)}
        request = httpx2.Request(upload.method, url, headers=headers, stream=_FileStream(file, size, progress))
        return data(Asset)(checked((yield from session.send(request))))


def send(
    session: Session, upload: PresignedUpload, source: Source, *, progress: Progress = ignore_progress
) -> Steps[Asset]:
    """Send the bytes in pieces, and continue after a failure. Returns the asset in its state at the end."""
    with opened(source) as (file, size):
        yield from send_file(session, upload.tus_upload_url, file, size, progress=progress)
    return (yield from session.perform(get_asset(upload.id)))


def wait_until_ready(session: Session, asset_id: str, seconds: float = 300.0) -> Steps[Asset]:
    """The asset once it is ready. Raises AssetFailed, or TimeoutError if it takes longer."""
    started, pause = session.now(), 0.05
    while True:
        asset = yield from session.perform(get_asset(asset_id))
        if asset.processing_status == "ready":
            return asset
        if asset.processing_status == "failed":
            raise AssetFailed(asset)
        if session.now() - started + pause > seconds:
            raise TimeoutError(f"asset {asset_id} is {asset.processing_status} after {seconds} seconds")
        yield Pause(pause)
        pause = min(2 * pause, 2.0)


def kind_of(session: Session, filename: str) -> Steps[Kind]:
    """`image` if the installation takes files with this extension as images, else `file`.

    Each client asks the installation once, which needs the scope `media:read`.
    """
    if "cdn" not in session.learned:
        session.learned["cdn"] = yield from session.perform(get_cdn())
    cdn: CdnConfiguration = session.learned["cdn"]
    return "image" if PurePath(filename).suffix.lower() in cdn.image_extensions else "file"


class Uploads(Resource[D]):
    kind_of = Conversation(kind_of)
    image = Operation("uploadImage", upload_image)
    file = Operation("uploadFile", upload_file)
    replace = Operation("replaceAsset", replace_asset)
    presigned = Operation("presignUpload", presign_upload)
    from_url = Operation("uploadFromUrl", upload_from_url)
    get_from_url = Operation("getUploadFromUrl", get_upload_from_url)
    put = Conversation(put)
    send = Conversation(send)
    wait_until_ready = Conversation(wait_until_ready)


class _FileStream(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A file as the body of a request, for both clients."""

    def __init__(self, file: BinaryIO, size: int, progress: Progress) -> None:
        self._file, self._size, self._progress = file, size, progress

    def __iter__(self) -> Iterator[bytes]:
        while block := self._file.read(_BLOCK):
            yield block
            self._progress(self._file.tell(), self._size)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for block in self:
            yield block


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()
