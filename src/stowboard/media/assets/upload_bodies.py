"""Bodies of uploads, and the types of their members."""

from typing import Annotated

import msgspec
from msgspec import Meta

from stowboard.core.clock import LARGEST_NUMBER
from stowboard.core.metadata import Metadata
from stowboard.core.plain_text import CONTROLS, LINES, ONE_LINE, check_line, check_lines
from stowboard.core.reach import SpaceId
from stowboard.core.tags import Tags
from stowboard.core.wording import EXPECTED, TEXT_END
from stowboard.media.base.asset import MAX_ALT, MAX_TITLE, AssetKind, FocalPoint, MediaVisibility
from stowboard.media.uploads.base64_text import MAX_BYTES, MAX_TEXT

#: Longer names are refused; names of more than 255 bytes are shortened.
MAX_NAME = 1000
#: An announced upload must begin within this time.
DEFAULT_SECONDS = 3600
Filename = Annotated[
    str,
    Meta(
        max_length=MAX_NAME,
        description="Not blank, no control characters. A path, characters that Windows forbids and all beyond 255 bytes"
        " of UTF-8 are taken off.",
        extra_json_schema={"minLength": 1, **ONE_LINE},
    ),
]
Base64 = Annotated[
    str,
    Meta(
        description="The bytes in base64 of the standard alphabet. A `data:` prefix and missing padding are forgiven."
        f" At most {MAX_TEXT:,} characters.",
        extra_json_schema={"format": "byte", "contentEncoding": "base64", "minLength": 1, "maxLength": MAX_TEXT},
    ),
]
MimeType = Annotated[
    str,
    Meta(
        max_length=255,
        pattern=r"^[A-Za-z0-9!#$&^_.+-]{1,127}/[A-Za-z0-9!#$&^_.+-]{1,127}( *;[ -~]*)?" + TEXT_END,
        description="Such as `image/png`. The bytes have the last word where they carry a signature.",
        extra={EXPECTED: "a type and a subtype, such as image/png, in at most 255 characters"},
    ),
]
_CHECKSUM = "sha256:[0-9a-fA-F]{64}"
Checksum = Annotated[
    str,
    Meta(
        pattern=f"^{_CHECKSUM}{TEXT_END}", description="Of all bytes: `sha256:` and 64 hexadecimal digits.",
        extra={EXPECTED: "sha256: and 64 hexadecimal digits"}, extra_json_schema={"maxLength": 71},
    ),
]  # fmt: skip
StripLocation = Annotated[
    bool, Meta(description="Take out of an image where it was taken, before it is stored. Pixels stay as they are.")
]
#: Checksums in a query; for more than 50, send another request.
Checksums = Annotated[
    str,
    Meta(
        pattern=f"^{_CHECKSUM}(,{_CHECKSUM}){{0,49}}{TEXT_END}",
        description="Of the assets' bytes: `sha256:` and 64 hexadecimal digits, or up to 50 of these, comma-separated.",
        extra={EXPECTED: "sha256: and 64 hexadecimal digits, or up to 50 of these, separated by commas"},
        extra_json_schema={"maxLength": 50 * 72 - 1},
    ),
]
NewVisibility = Annotated[
    MediaVisibility, Meta(description="By default `public` in the Library, `protected` in every other space.")
]
SuggestedKind = Annotated[AssetKind, Meta(description="By default, what mimeType or else the filename suggests.")]
UploadSeconds = Annotated[int, Meta(ge=60, le=86_400, description="Seconds in which the upload must begin.")]
Alt = Annotated[
    str, Meta(max_length=MAX_ALT, description="Describes the image to screen readers.", extra_json_schema=LINES)
]
Title = Annotated[str, Meta(max_length=MAX_TITLE, extra_json_schema={"pattern": f"^[^{CONTROLS}]*$"})]


def check_texts(title: str | None, alt: str | None) -> None:
    """Raises ValidationFailed for control characters."""
    check_line("title", title or "")
    check_lines("alt", alt or "")


class UploadBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A new image or file with its bytes. A member that is null counts as left out."""

    filename: Filename
    data: Base64
    tags: Tags | None = []
    visibility: NewVisibility | None = None
    alt: Alt | None = None
    title: Title | None = None
    focal_point: FocalPoint | None = None
    original_name: Filename | None = None
    metadata: Metadata | None = {}
    space_id: SpaceId | None = None


class ImageUploadBody(UploadBody, frozen=True, rename="camel", kw_only=True):
    """A new image, with its bytes. A member that is null counts as left out."""

    strip_location: StripLocation | None = False


class FileUploadBody(UploadBody, frozen=True, rename="camel", kw_only=True):
    """A new file, with its bytes."""


class ReplaceBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """New bytes for an asset, image or file."""

    mime_type: MimeType
    original_name: Filename
    size: Annotated[int, Meta(ge=1, le=MAX_BYTES, description="Of the bytes, decoded.")]
    image_data: Base64


class PresignedBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An announced upload: of a new asset or, with assetId, of new bytes for an asset."""

    filename: Filename
    size: Annotated[
        int,
        Meta(
            ge=1,
            extra_json_schema={"maximum": LARGEST_NUMBER},
            description="In bytes. Exactly so many must be sent. `presignedBytes` of GET /media/cdn is the most that"
            " this installation takes; more is 413.",
        ),
    ]
    mime_type: MimeType | None = None
    kind: SuggestedKind | None = None
    tags: Tags | None = []
    visibility: NewVisibility | None = None
    metadata: Metadata | None = {}
    space_id: SpaceId | None = None
    checksum: Checksum | None = None
    strip_location: StripLocation | None = False
    asset_id: Annotated[str, Meta(max_length=100, description="Replace the bytes of this asset.")] | None = None
    expires_in: UploadSeconds | None = DEFAULT_SECONDS
