"""The jobs of uploads by URL: fetch the bytes, then go on as if a client had sent them.

Each owner has two lanes, so that addresses which drip hold up nobody else. A lane is one job at a time, by its dedup
key: it takes the owner's oldest upload that no lane has, finishes it, and orders itself again while more wait. Bytes of
an attempt that broke off are not kept. A video is finalized here too, since nobody else would.
"""

import logging
import time
from contextlib import suppress
from urllib.parse import unquote, urlsplit

import msgspec

from stowboard.blobs.keys import BlobKey, new_key
from stowboard.blobs.store import BlobStore
from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.errors import InsufficientStorage, Problem, ServiceUnavailable
from stowboard.core.ids import new_id
from stowboard.db.database import Tx
from stowboard.http.outgoing.client import Outgoing
from stowboard.jobs.lease import LeaseLost
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import AnyKind, Job, JobKind
from stowboard.media.assets import asset_store
from stowboard.media.assets.events import announce_failure as announce_failed_asset
from stowboard.media.assets.inline import BLOB_KIND
from stowboard.media.assets.presigned import new_asset
from stowboard.media.assets.upload_bodies import PresignedBody
from stowboard.media.base.asset import AssetKind, AssetStatus
from stowboard.media.base.errors import UploadNotFound, VideoNotFound
from stowboard.media.base.filename import check_filename, clean_filename
from stowboard.media.base.settings import MediaSettings
from stowboard.media.base.storage import Storage
from stowboard.media.fetching.bodies import FetchedKind, FromUrlBody
from stowboard.media.fetching.download import DownloadBounds, DownloadedFile, FetchFailed, download
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.ending import end_upload
from stowboard.media.uploads.upload import Upload, UploadId, UploadPurpose, UploadReceivers, UploadState, new_token
from stowboard.media.videos import finalize, video_store
from stowboard.media.videos.create import create_video
from stowboard.media.videos.events import announce_failure as announce_failed_video
from stowboard.media.videos.video import MAX_TITLE, VideoStatus
from stowboard.media.videos.wire import CreateVideoBody

PROGRESS_S = 1.0
#: Uploads of one owner that are fetched at once.
LANES = 2
_ATTEMPTS, _RETRY_MS = 5, 5_000
_ALIVE_MS = 24 * 3600 * 1000

log = logging.getLogger("stowboard.media")
#: How long the upload lives, for all attempts of the job; each byte that comes prolongs it.
_WAIT_MS = 24 * 3600 * 1000
_NAMELESS = "download"


class FetchLane(msgspec.Struct, frozen=True):
    owner: str
    lane: int

    @property
    def holder(self) -> str:
        """The lane's name in `Upload.holder`."""
        return f"fetch {self.lane}"


class FetchAbandoned(Exception):
    """The asset or video was deleted, or the upload has ended."""


async def fetch_later(tx: Tx, owner: str) -> None:
    """Order the owner's lanes, which will find what waits. A lane that runs looks once more when it is done."""
    for lane in range(LANES):
        await _order(tx, FetchLane(owner, lane))


async def fetch(job: Job, lane: FetchLane) -> None:
    upload = await job.db.transact(upload_store.take_to_fetch, lane.owner, lane.holder)
    if upload is None:
        return
    try:
        if upload.state is UploadState.OPEN:
            await _fetch(job, upload, upload.url or "")
        if upload.purpose is UploadPurpose.VIDEO:
            await _finalize(job, upload)
    except FetchFailed as reason:
        if not reason.final and job.attempt < _ATTEMPTS:
            raise
        await job.db.transact(_fail, upload.id, reason.code, reason.message)
    except FetchAbandoned:
        log.info("%s was deleted, or its upload ended, while its bytes were fetched", upload.subject)
    await job.db.transact(_go_on, job, lane, upload.id)


async def _go_on(tx: Tx, job: Job, lane: FetchLane, upload_id: UploadId) -> None:
    await upload_store.forget_url(tx, upload_id)
    await job.complete(tx)
    if await upload_store.has_to_fetch(tx, lane.owner):
        await _order(tx, lane)


async def _order(tx: Tx, lane: FetchLane) -> None:
    await enqueue(tx, FETCH, lane, dedup=f"{lane.lane} {lane.owner}", owner=lane.owner)


async def _fetch(job: Job, upload: Upload, url: str) -> None:
    blobs, key, settings = job.use(BlobStore), new_key(upload.blob_key.partition("/")[0]), job.use(MediaSettings)
    most = settings.max_video_bytes if upload.purpose is UploadPurpose.VIDEO else settings.max_upload_bytes
    room = await job.db.read(job.use(Storage).find_room, upload.created_by)
    if room is not None:
        room += upload.reserved  # that is what an earlier attempt reserved
    bounds = DownloadBounds(most, room, settings.upload_from_url_seconds, owner=upload.created_by)
    try:
        got = await download(job.use(Outgoing), blobs, key, url, bounds, _Progress(job, upload).note)
        try:
            await job.db.transact(_complete, job, upload.id, key, got)
        except (FetchAbandoned, LeaseLost, InsufficientStorage):
            await blobs.delete_many([key])
            raise
    except InsufficientStorage as full:
        raise FetchFailed(full.message, final=True, code=full.code) from None


class _Progress:
    """Records the progress now and then; raises if there is no room, or the asset or video was deleted."""

    def __init__(self, job: Job, upload: Upload) -> None:
        self._job, self._upload, self._told = job, upload, 0.0

    async def note(self, received: int, length: int | None) -> None:
        if time.monotonic() - self._told < PROGRESS_S:
            return
        first, self._told = self._told == 0.0, time.monotonic()
        self._job.use(Storage).require_space((length or received) - received)
        with suppress(ServiceUnavailable):
            await self._job.db.transact(_note, self._job, self._upload.id, received, length, first)


async def _note(tx: Tx, job: Job, upload_id: UploadId, received: int, length: int | None, first: bool) -> None:
    upload = await _lock_wanted(tx, upload_id)
    now = clock.now_ms()
    after = msgspec.structs.replace(
        upload, received=received, length=length, updated_at=now, expires_at=now + _ALIVE_MS
    )
    await upload_store.save(tx, after)
    if after.reserved > upload.reserved:
        await job.use(Storage).require_room(tx, after.created_by, 0)
    if first:
        await job.use(UploadReceivers).of(after).started(tx, after)


async def _complete(tx: Tx, job: Job, upload_id: UploadId, key: BlobKey, got: DownloadedFile) -> None:
    upload, now, size = await _lock_wanted(tx, upload_id), clock.now_ms(), got.written.size
    after = msgspec.structs.replace(
        upload, blob_key=key, state=UploadState.COMPLETE, received=size, length=size, mime_type=got.mime_type,
        updated_at=now, expires_at=now + _ALIVE_MS,
    )  # fmt: skip
    if size > upload.reserved:
        await job.use(Storage).require_room(tx, upload.created_by, size - upload.reserved)
    await upload_store.save(tx, after)
    await job.use(UploadReceivers).of(after).completed(tx, after)


async def _lock_wanted(tx: Tx, upload_id: UploadId) -> Upload:
    """Raises FetchAbandoned, also if the upload has ended with what its maker may do."""
    try:
        upload = await upload_store.lock_usable(tx, upload_id)
    except UploadNotFound:
        raise FetchAbandoned from None
    if upload.state is not UploadState.OPEN or upload.url is None:
        raise FetchAbandoned
    if upload.purpose is UploadPurpose.ASSET and await asset_store.find(tx, upload.subject) is None:
        raise FetchAbandoned
    return upload


async def _finalize(job: Job, upload: Upload) -> None:
    access, video_id = Access.of_service(upload.space), upload.subject
    try:
        examined = await finalize.examine(job.services, access, video_id)
        await job.db.transact(finalize.finalize_video, access, video_id, examined)
    except ServiceUnavailable:
        raise
    except Problem as problem:  # the bytes are not a video, as the video's error says, or it was deleted
        log.info("video %s was fetched and not finalized: %s", video_id, problem.message)


async def _gave_up(tx: Tx, lane: FetchLane) -> None:
    upload = await upload_store.take_to_fetch(tx, lane.owner, lane.holder)
    if upload is not None:
        await _fail(tx, upload.id, "processing_failed", "The file could not be fetched. Try again.")
        await upload_store.forget_url(tx, upload.id)
        await _order(tx, lane)


async def _fail(tx: Tx, upload_id: UploadId, code: str, message: str) -> None:
    upload = await upload_store.find_and_lock(tx, upload_id)
    if upload is None or upload.state is not UploadState.OPEN:
        return
    await end_upload(tx, upload)
    await (_fail_video if upload.purpose is UploadPurpose.VIDEO else _fail_asset)(tx, upload.subject, code, message)


async def _fail_asset(tx: Tx, asset_id: str, code: str, message: str) -> None:
    for before in await asset_store.find_and_lock_known(tx, [asset_id]):
        after = msgspec.structs.replace(
            before, status=AssetStatus.FAILED, error_code=code, error_message=message, updated_at=before.next_stamp()
        )
        await asset_store.put(tx, before, after)
        await announce_failed_asset(tx, after)


async def _fail_video(tx: Tx, video_id: str, code: str, message: str) -> None:
    with suppress(VideoNotFound):
        before = await video_store.lock_known(tx, video_id)
        after = before.changed(status=VideoStatus.FAILED, error_code=code, error_message=message)
        await video_store.put(tx, before, after)
        await announce_failed_video(tx, after)


FETCH = JobKind(
    "media.fetch", "fetch", fetch, args=FetchLane, max_attempts=_ATTEMPTS, retry_ms=_RETRY_MS, gave_up=_gave_up
)
JOBS: list[AnyKind] = [FETCH]


async def order_fetch(tx: Tx, access: Access, body: FromUrlBody) -> str:
    """Make an asset or a video, an upload that only we can send to, and the job that fetches its bytes from a URL.

    Returns the id of the asset or video. Raises SpaceNotFound, TooManyItems or ValidationFailed.
    """
    filename = body.filename or clean_filename(_name_in(body.url))
    check_filename("filename", filename)
    make = _new_video if body.kind is FetchedKind.VIDEO else _new_asset
    upload = await make(tx, access, body, clean_filename(filename))
    await fetch_later(tx, access.caller.owner)
    return upload.subject


def _name_in(url: str) -> str:
    """The end of the URL's path."""
    name = unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2], errors="replace").replace("\0", "").strip()
    return name[:200] or _NAMELESS


async def _new_video(tx: Tx, access: Access, body: FromUrlBody, filename: str) -> Upload:
    described = CreateVideoBody(
        title=body.title or filename[:MAX_TITLE], tags=body.tags, visibility=body.visibility, metadata=body.metadata,
        space_id=body.space_id,
    )  # fmt: skip
    _, upload, _ = await create_video(tx, access, described, 0, url=body.url)
    return upload


async def _new_asset(tx: Tx, access: Access, body: FromUrlBody, filename: str) -> Upload:
    kind = AssetKind(body.kind.value) if body.kind is not None else None
    described = PresignedBody(
        filename=filename, size=0, kind=kind, tags=body.tags, visibility=body.visibility, metadata=body.metadata,
        space_id=body.space_id,
    )  # fmt: skip
    asset = await new_asset(tx, access, described)
    now = clock.now_ms()
    upload = Upload(
        id=UploadId(new_id("upl")), purpose=UploadPurpose.ASSET, subject=asset.id, space=asset.space,
        blob_key=new_key(BLOB_KIND), name=filename, url=body.url, created_by=access.caller.owner,
        made_through=access.caller.through, created_at=now, updated_at=now, expires_at=now + _WAIT_MS,
    )  # fmt: skip
    await upload_store.insert(tx, upload, new_token())
    return upload
