"""Describe a file by a job: pages and first page of a PDF, duration and waveform of audio.

`describe_later` orders the job in the transaction that gives the asset its bytes. The file is ready and served before
the job runs. If it cannot be described it is served all the same, and `processingError` says why.

A large JPEG, which was only looked at briefly, gets its placeholder and its reduction in the same way. The job has a
queue of its own: somebody waits for the processing of an upload, and nobody for its description.
"""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from stowboard.blobs.store import BlobStore
from stowboard.db.database import Tx
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import AnyKind, Job, JobKind
from stowboard.media.assets import asset_store
from stowboard.media.assets.events import announce_description
from stowboard.media.base.asset import Asset, AssetKind, AssetStatus, PosterSize
from stowboard.media.base.discard import discard_later
from stowboard.media.base.errors import InvalidMedia
from stowboard.media.base.local_copy import local_copy
from stowboard.media.base.settings import MediaSettings
from stowboard.media.images import derived_files, derived_store
from stowboard.media.images.derived_store import DerivedFile, DerivedOrder
from stowboard.media.images.documents.description import MOST_BYTES, is_describable
from stowboard.media.images.kept_pictures import poster_order, reduction_order
from stowboard.media.images.works import BackgroundWorks

_NOT_SHOWN = "preview_failed"
_TOO_LARGE = "The file is too large to be looked into: at most 1 GiB. It can be downloaded as it is."
_GAVE_UP = "The file could not be looked into, for a reason that is not in it. It can be downloaded as it is."


class DescriptionOrder(msgspec.Struct, frozen=True):
    asset_id: str
    sha256: str


class _Found(NamedTuple):
    #: Members of the asset.
    changes: Mapping[str, object]
    #: The picture that is kept with the bytes.
    order: DerivedOrder
    picture: DerivedFile | None


async def describe_later(tx: Tx, asset: Asset) -> None:
    if asset.sha256 is None:
        return
    plain_image = asset.kind is AssetKind.IMAGE and asset.placeholder is None
    if plain_image or (asset.kind is AssetKind.FILE and is_describable(asset.mime_type)):
        await enqueue(tx, DESCRIBE, DescriptionOrder(asset.id, asset.sha256), dedup=asset.id, owner=asset.sent_by)


async def describe(job: Job, args: DescriptionOrder) -> None:
    """Raises trouble that passes, such as a store that is away; the job is then tried again."""
    asset = await job.db.read(asset_store.find, args.asset_id)
    if asset is None or asset.sha256 != args.sha256:
        return
    try:
        found = await _look_into(job, asset)
    except InvalidMedia as problem:
        await job.db.transact(_give_up, args, problem.message, job)
    else:
        await job.db.transact(_keep, job, args, found)


async def _look_into(job: Job, asset: Asset) -> _Found:
    assert asset.blob_key is not None
    assert asset.sha256 is not None
    if asset.size > MOST_BYTES:
        raise InvalidMedia(_TOO_LARGE)
    blobs = job.use(BlobStore)
    async with local_copy(blobs, asset.blob_key, job.use(MediaSettings).work_dir) as path:
        described = await job.use(BackgroundWorks).describe(path, asset.mime_type)
    changes: dict[str, object] = {"placeholder": described.placeholder}
    picture, order = described.picture, reduction_order(asset.sha256)
    if asset.kind is not AssetKind.IMAGE:
        assert picture is not None
        size = PosterSize(picture.width, picture.height)
        changes |= {"pages": described.pages, "duration_ms": described.duration_ms, "poster": size}
        order = poster_order(asset.sha256)
    stored = await derived_files.put(blobs, order, picture) if picture is not None else None
    return _Found(changes, order, stored)


async def _keep(tx: Tx, job: Job, args: DescriptionOrder, found: _Found) -> None:
    before = await _find_and_lock(tx, args)
    if before is not None and await derived_store.find_and_lock_content(tx, args.sha256):
        after = msgspec.structs.replace(before, **found.changes, updated_at=before.next_stamp())
        await asset_store.put(tx, before, after)
        await announce_description(tx, before, after)
        if found.picture is not None:
            await derived_files.keep(tx, found.order, found.picture)
    elif found.picture is not None:
        await discard_later(tx, [found.picture.key])
    await job.complete(tx)


async def _give_up(tx: Tx, args: DescriptionOrder, reason: str = _GAVE_UP, job: Job | None = None) -> None:
    """Say why the asset is not described. `job` is None after its last attempt."""
    before = await _find_and_lock(tx, args)
    if before is not None and before.status is AssetStatus.READY:
        after = msgspec.structs.replace(
            before, error_code=_NOT_SHOWN, error_message=reason, updated_at=before.next_stamp()
        )
        await asset_store.put(tx, before, after)
        await announce_description(tx, before, after)
    if job is not None:
        await job.complete(tx)


async def _find_and_lock(tx: Tx, args: DescriptionOrder) -> Asset | None:
    """The asset, locked, if it still has these bytes."""
    found = await asset_store.find_and_lock_known(tx, [args.asset_id])
    return next((asset for asset in found if asset.sha256 == args.sha256), None)


DESCRIBE = JobKind("media.describe", "describe", describe, args=DescriptionOrder, max_attempts=10, gave_up=_give_up)

JOBS: list[AnyKind] = [DESCRIBE]
