"""An upload on its way, and the receiver of its bytes.

The address of an upload is a secret that is its own proof; only its digest is kept. Bytes become a blob under
`blob_key` when they are complete, before the row says so.
"""

import hashlib
import secrets
from collections.abc import Mapping
from enum import StrEnum
from typing import NewType, Protocol

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.db.database import Tx

UploadId = NewType("UploadId", str)


class UploadState(StrEnum):
    OPEN = "open"
    #: All bytes are a blob; nothing can be added.
    COMPLETE = "complete"
    #: Expired or terminated; its bytes are gone or about to be.
    GONE = "gone"


class UploadPurpose(StrEnum):
    ASSET = "asset"
    VIDEO = "video"
    #: Some of the bytes of another upload, to be joined to it.
    PART = "part"


class Upload(msgspec.Struct, frozen=True, kw_only=True):
    """Every column of an upload but the digest, in the order of `upload_store.COLUMNS`."""

    id: UploadId
    purpose: UploadPurpose
    #: The asset, the video or the upload that it is for.
    subject: str
    state: UploadState = UploadState.OPEN
    #: How often a POST of the TUS protocol began it again. Each time has a blob_key of its own.
    generation: int = 0
    blob_key: BlobKey
    #: The store's own id for it: that of a multipart upload in a bucket.
    handle: str | None = None
    #: How many part numbers were given out; none is given out twice.
    parts: int = 0
    #: None while it is deferred.
    length: int | None = None
    received: int = 0
    #: A request that writes for a while; another one takes over by putting itself here.
    holder: str | None = None
    #: The header Upload-Metadata as the client sent it.
    metadata: str | None = None
    mime_type: str | None = None
    name: str | None = None
    #: The announced SHA-256 of all bytes, in hexadecimal.
    checksum: str | None = None
    #: Of the asset or video.
    space: str
    created_by: str
    #: The grant, OAuth client or token that it was made with, and ends with; empty if a browser made it.
    made_through: str
    created_at: int
    updated_at: int
    expires_at: int
    #: The header Upload-Concat: `partial`, or `final;` and which parts were joined.
    concat: str | None = None
    #: 1 if the place is to be taken out of the image.
    strip_location: int = 0
    #: The URL from which the service fetches the bytes, until it has them. It may carry a secret, and is never shown.
    url: str | None = None

    @property
    def reserved(self) -> int:
        """The bytes that count against limits of storage."""
        return max(self.length or 0, self.received)

    @property
    def complete(self) -> bool:
        return self.state is UploadState.COMPLETE


class UploadReceiver(Protocol):
    """The asset or video that gets the bytes. Called in the transaction that changes the upload."""

    async def started(self, tx: Tx, upload: Upload) -> None:
        """The first bytes of this generation are there, and more are to come."""

    async def completed(self, tx: Tx, upload: Upload) -> None:
        """All bytes are a blob now."""

    async def has_taken(self, tx: Tx, upload: Upload) -> bool:
        """True if the bytes of this complete upload are in use: then it cannot be terminated or begun again."""

    async def gone(self, tx: Tx, upload: Upload) -> None:
        """It was terminated or has expired; the bytes are being removed."""


class UploadReceivers:
    """The receiver of each purpose."""

    def __init__(self, by_purpose: Mapping[UploadPurpose, UploadReceiver]) -> None:
        self._by_purpose = by_purpose

    def of(self, upload: Upload) -> UploadReceiver:
        return self._by_purpose[upload.purpose]


def new_token() -> str:
    """The secret part of an upload's address."""
    return secrets.token_urlsafe(32)


def digest_of(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
