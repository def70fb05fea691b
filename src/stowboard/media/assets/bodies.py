"""Bodies and queries of requests about assets."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.api.paging import given
from stowboard.core.clock import Timestamp
from stowboard.core.ids import LONGEST_ID
from stowboard.core.metadata import Metadata
from stowboard.core.reach import SpaceId, SpaceOrAll
from stowboard.core.tags import Tags
from stowboard.core.wording import EXPECTED, TEXT_END
from stowboard.media.assets.bulk import MAX_IDS, TagAction
from stowboard.media.assets.listing import AssetFilters, AssetSort
from stowboard.media.assets.upload_bodies import Alt, Checksums, Filename, Title
from stowboard.media.base.asset import AssetKind, AssetStatus, FocalPoint, MediaVisibility
from stowboard.media.base.listing import Trashed
from stowboard.search.list_query import ListQuery

#: More of them are 400 `too_many_items`.
Ids = Annotated[
    list[Annotated[str, Meta(max_length=LONGEST_ID)]],
    Meta(description="At most 100.", extra_json_schema={"maxItems": MAX_IDS}),
]
MimeType = Annotated[
    str,
    Meta(
        max_length=255, pattern=r"^[A-Za-z0-9!#$&^_.+-]+/([A-Za-z0-9!#$&^_.+-]+|\*)" + TEXT_END,
        description="A type, or all of a family: `image/*`.",
        extra={EXPECTED: "a type such as image/png, or all of a family: image/*"},
    ),
]  # fmt: skip


class MediaQuery(ListQuery, frozen=True, rename="camel"):
    """Filters of a list of media; all that are given must hold."""

    visibility: MediaVisibility | UnsetType = UNSET
    created_after: Annotated[Timestamp, Meta(description="Created at this time or later.")] | UnsetType = UNSET
    created_before: Annotated[Timestamp, Meta(description="Created earlier than this.")] | UnsetType = UNSET
    space_id: SpaceOrAll | UnsetType = UNSET
    trashed: Trashed | UnsetType = UNSET

    def media_filters(self) -> dict[str, Any]:
        return self.shared_filters() | {
            "visibility": given(self.visibility),
            "created_after": given(self.created_after),
            "created_before": given(self.created_before),
        }


class AssetsQuery(MediaQuery, frozen=True, rename="camel"):
    """Filters of a list of assets; all that are given must hold."""

    kind: AssetKind | UnsetType = UNSET
    mime_type: MimeType | UnsetType = UNSET
    processing_status: AssetStatus | UnsetType = UNSET
    checksum: Checksums | UnsetType = UNSET
    sort: AssetSort = AssetSort.NEWEST
    unused: Annotated[bool, Meta(description="true: only those that no task has attached.")] = False

    def filters(self, spaces: tuple[str, ...]) -> AssetFilters:
        return AssetFilters(
            spaces=spaces,
            **self.media_filters(),
            kind=given(self.kind),
            mime_type=self.mime_type.lower() if self.mime_type else None,
            status=given(self.processing_status),
            sort=self.sort,
            unused=self.unused,
            sha256=tuple(dict.fromkeys(self.checksum.lower().replace("sha256:", "").split(",")))
            if self.checksum
            else (),
        )


class AssetPatchBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Changes to an asset. What is omitted keeps its value; null clears what can be empty."""

    filename: Filename | UnsetType = UNSET
    alt: Alt | None | UnsetType = UNSET
    title: Title | None | UnsetType = UNSET
    tags: Tags | None | UnsetType = UNSET
    focal_point: FocalPoint | None | UnsetType = UNSET
    visibility: MediaVisibility | UnsetType = UNSET
    metadata: Metadata | None | UnsetType = UNSET


class AssetIdsBody(msgspec.Struct, frozen=True):
    """Ids of assets; where videos may be among them, of both."""

    ids: Ids


class MediaSpaceBody(msgspec.Struct, frozen=True, rename="camel"):
    """The space to go to."""

    space_id: SpaceId


class TransferAssetsBody(MediaSpaceBody, frozen=True, rename="camel", kw_only=True):
    """Ids of assets, and the space they go to."""

    ids: Ids
    versions: Annotated[bool, Meta(description="true: with their earlier versions. Otherwise these end.")] | None = None


class BatchTagsBody(msgspec.Struct, frozen=True):
    """An action, and the tags, assets and videos that it is applied to."""

    action: TagAction
    ids: Ids
    tags: Tags
