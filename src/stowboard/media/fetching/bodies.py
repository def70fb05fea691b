"""The body of a request for an upload by URL, and the upload as it is shown."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from stowboard.core.metadata import Metadata
from stowboard.core.reach import SpaceId
from stowboard.core.tags import Tags
from stowboard.http.outgoing.target import LONGEST_URL
from stowboard.media.assets.upload_bodies import Filename
from stowboard.media.base.asset import MediaVisibility
from stowboard.media.videos.wire import Title


class FetchedKind(StrEnum):
    IMAGE = "image"
    FILE = "file"
    VIDEO = "video"


class FromUrlBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Where the bytes are, and what they become."""

    url: Annotated[
        str, Meta(min_length=1, max_length=LONGEST_URL, description="https, at an address that the public can reach.")
    ]
    kind: Annotated[FetchedKind, Meta(description="By default image or file, as the filename suggests.")] | None = None
    filename: Annotated[Filename, Meta(description="By default the end of the URL's path.")] | None = None
    title: Annotated[Title, Meta(description="Of a video; by default its filename.")] | None = None
    tags: Tags | None = []
    visibility: MediaVisibility | None = None
    metadata: Metadata | None = {}
    space_id: SpaceId | None = None


class UrlUploadError(msgspec.Struct, frozen=True):
    """The reason why the upload failed."""

    code: str
    message: str


class UrlUploadView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An upload by URL. `status` is that of the asset (`processingStatus`) or of the video."""

    #: The id of the asset or the video.
    id: str
    kind: FetchedKind
    status: str
    #: Bytes that have arrived.
    received: int
    #: The length, once the other side has announced it.
    length: int | None
    error: UrlUploadError | None
    created_at: int
    updated_at: int
