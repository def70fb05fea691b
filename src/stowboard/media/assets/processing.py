"""Process bytes that arrived, so that the asset serves them.

`process_later` notes the bytes on the asset's row (`incoming`) and orders the job, in the transaction in which they
arrived. The job inspects them outside of any transaction, then switches the asset to them in one. The asset serves its
old bytes until then, and keeps them if the new bytes are unusable. Newer bytes replace older ones that still wait; a
job whose bytes are no longer the incoming ones does nothing. If the job is given up, which is not the fault of the
bytes, they go on waiting: they are served as a file, and the job can be tried again.
"""

import msgspec

from stowboard.blobs.hashing import hashed
from stowboard.blobs.keys import BlobKey, new_key
from stowboard.blobs.store import BlobStore
from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import AnyKind, Job, JobKind, NoArgs
from stowboard.jobs.schedule import AnyPeriodic, PeriodicJob
from stowboard.media.assets import asset_store, content_store
from stowboard.media.assets.content_store import StoredContent
from stowboard.media.assets.events import announce_asset, announce_failure
from stowboard.media.assets.inline import BLOB_KIND
from stowboard.media.assets.versions import give_bytes, lock_contents
from stowboard.media.base.asset import Asset, AssetKind, AssetStatus, IncomingBytes, facts_in
from stowboard.media.base.discard import discard_later
from stowboard.media.base.ends import digest_of_ends
from stowboard.media.base.errors import ContentDamaged, InvalidMedia
from stowboard.media.base.file_facts import HEAD_BYTES, file_facts
from stowboard.media.base.filename import fitting_filename
from stowboard.media.base.local_copy import local_copy
from stowboard.media.base.settings import MediaSettings
from stowboard.media.images import derived_files
from stowboard.media.images.kept_pictures import reduction_order
from stowboard.media.images.patches import patched_chunks
from stowboard.media.images.works import BackgroundWorks

#: Far more than processing takes: an asset that waits longer has lost its job.
STALLED_MS = 15 * 60 * 1000
_STALLED_BATCH = 500


class ProcessingOrder(msgspec.Struct, frozen=True):
    asset_id: str
    key: BlobKey


class UnusableBytes(Exception):
    """The bytes can never be used. Code and message are for the asset's `processingError`."""

    def __init__(self, code: str, message: str) -> None:
        self.code, self.message = code, message
        super().__init__(code)


_INTERRUPTED = UnusableBytes(
    "interrupted",
    "The bytes are kept, and are served as a file. Replace them, or ask an admin to try the job again.",
)


async def process_later(tx: Tx, before: Asset, incoming: IncomingBytes) -> Asset:
    """Order the job that makes stored bytes the asset's. This transaction has locked the asset."""
    if before.incoming is not None:
        await discard_later(tx, [before.incoming.key])
    after = msgspec.structs.replace(
        before, status=AssetStatus.PROCESSING, error_code=None, error_message=None, incoming=incoming,
        updated_at=before.next_stamp(),
    )  # fmt: skip
    await asset_store.put(tx, before, after)
    if before.status is AssetStatus.PENDING:
        await announce_asset(tx, kinds.ASSET_CREATED, after)
    await enqueue(tx, PROCESS, ProcessingOrder(after.id, incoming.key), dedup=after.id, owner=incoming.sent_by)
    return after


async def process(job: Job, args: ProcessingOrder) -> None:
    """Raises trouble that passes, such as a store that is away; the job is then tried again."""
    asset = await job.db.read(asset_store.find, args.asset_id)
    if asset is None or asset.incoming is None or asset.incoming.key != args.key:
        return
    try:
        stored = await _look_at(job, asset.kind, asset.incoming)
    except UnusableBytes as reason:
        await job.db.transact(_give_up, args, reason, job)
    else:
        await job.db.transact(_switch, job, args, stored)


async def order_stalled(job: Job, _: NoArgs) -> None:
    """Give a job to every asset that is processing and has lost its own."""
    await job.db.transact(_order_stalled, clock.now_ms() - STALLED_MS)


async def _look_at(job: Job, kind: AssetKind, incoming: IncomingBytes) -> StoredContent:
    blobs = job.use(BlobStore)
    sha256 = await _sha256(blobs, kind, incoming)
    if incoming.expected_sha256 not in (None, sha256):
        raise UnusableBytes(
            "checksum_mismatch", "The bytes do not have the checksum that was announced. Upload them again."
        )
    if kind is AssetKind.FILE:
        head = b"".join([chunk async for chunk in blobs.read(incoming.key, 0, HEAD_BYTES)])
        facts = file_facts(head, incoming.size, incoming.mime_type, incoming.name)
        ends = await digest_of_ends(blobs, incoming.key, incoming.size)
        return StoredContent(sha256, incoming.size, incoming.key, facts, ends_sha256=ends)
    async with local_copy(blobs, incoming.key, job.use(MediaSettings).work_dir) as path:
        try:
            strip = incoming.strip_location or job.use(MediaSettings).strip_location
            picture = await job.use(BackgroundWorks).inspect(path, strip_location=strip)
        except InvalidMedia as problem:
            raise UnusableBytes(problem.code, problem.message) from None
    key = incoming.key
    if picture.patches:
        key = new_key(BLOB_KIND)
        sha256 = (await blobs.put(key, patched_chunks(blobs.read(incoming.key), picture.patches))).sha256
    reduced = None
    if picture.reduction is not None:
        reduced = await derived_files.put(blobs, reduction_order(sha256), picture.reduction)
    ends = await digest_of_ends(blobs, key, incoming.size)
    return StoredContent(sha256, incoming.size, key, picture, reduced, ends)


async def _sha256(blobs: BlobStore, kind: AssetKind, incoming: IncomingBytes) -> str:
    """The hash of the stored bytes. Images are hashed again: derived images must be made of the uploaded bytes."""
    if incoming.sha256 is not None and kind is AssetKind.FILE:
        return incoming.sha256
    found = (await hashed(blobs.read(incoming.key))).sha256
    if incoming.sha256 not in (None, found):
        raise UnusableBytes(ContentDamaged.code, ContentDamaged.message)
    return found


async def _switch(tx: Tx, job: Job, args: ProcessingOrder, stored: StoredContent) -> None:
    before = await _find_and_lock_waiting(tx, args)
    if before is not None and before.incoming is not None:
        tx.author = before.incoming.author
        keep = job.use(MediaSettings).version_keep
        surplus = await lock_contents(tx, before, stored.sha256, keep)
        after = await _with_new_bytes(tx, before, before.incoming, stored)
        if stored.key != args.key:
            await discard_later(tx, [args.key])
        await give_bytes(tx, before, after, surplus, keep)
        await content_store.keep_reduced(tx, stored)
    else:
        made = [stored.key, *([stored.reduced.key] if stored.reduced is not None else [])]
        await discard_later(tx, [key for key in made if key != args.key])
    await job.complete(tx)


async def _with_new_bytes(tx: Tx, before: Asset, incoming: IncomingBytes, stored: StoredContent) -> Asset:
    key, now = await content_store.claim_stored(tx, stored), before.next_stamp()
    replaced = before.blob_key is not None
    return msgspec.structs.replace(
        before,
        filename=fitting_filename(before.filename, stored.facts.mime_type) if replaced else before.filename,
        original_name=incoming.name,
        status=AssetStatus.READY,
        error_code=None,
        error_message=None,
        sha256=stored.sha256,
        blob_key=key,
        size=stored.size,
        sent_by=incoming.sent_by,
        incoming=None,
        version=before.version + 1 if replaced else before.version,
        updated_at=now,
        replaced_at=now if replaced else before.replaced_at,
        damaged_at=None,
        **facts_in(stored.facts),
    )


async def _give_up(tx: Tx, args: ProcessingOrder, reason: UnusableBytes = _INTERRUPTED, job: Job | None = None) -> None:
    """Mark the asset as failed, and discard bytes that are unusable. It serves its old bytes, if it has some.

    `job` is None after its last attempt.
    """
    before = await _find_and_lock_waiting(tx, args)
    if before is not None and before.incoming is not None:
        kept = before.incoming if reason is _INTERRUPTED else None
        after = msgspec.structs.replace(
            before, status=AssetStatus.FAILED, error_code=reason.code, error_message=reason.message, incoming=kept,
            size=kept.size if kept is not None and before.blob_key is None else before.size,
            updated_at=before.next_stamp(),
        )  # fmt: skip
        await asset_store.put(tx, before, after)
        if kept is None:
            await discard_later(tx, [args.key])
        await announce_failure(tx, after)
    if job is not None:
        await job.complete(tx)


async def _find_and_lock_waiting(tx: Tx, args: ProcessingOrder) -> Asset | None:
    """The asset, locked, if it still waits for these bytes."""
    found = await asset_store.find_and_lock_known(tx, [args.asset_id])
    return next((asset for asset in found if asset.incoming is not None and asset.incoming.key == args.key), None)


async def _order_stalled(tx: Tx, before_ms: int) -> None:
    rows = await tx.all(
        "SELECT id, incoming_key, created_by FROM asset"
        " WHERE status = $1 AND updated_at < $2 AND incoming_key IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM job WHERE job.kind = $3 AND job.dedup = asset.id AND job.dead = 0)"
        " LIMIT $4",
        AssetStatus.PROCESSING, before_ms, PROCESS.name, _STALLED_BATCH,
    )  # fmt: skip
    for asset_id, key, created_by in rows:
        await enqueue(tx, PROCESS, ProcessingOrder(asset_id, BlobKey(key)), dedup=asset_id, owner=created_by)


#: The attempts span a quarter of an hour: a store that is away for some minutes fails nobody's upload.
PROCESS = JobKind("media.process", "image", process, args=ProcessingOrder, max_attempts=10, gave_up=_give_up)
STALLED = JobKind("media.order_stalled", "sweep", order_stalled, args=NoArgs)

JOBS: list[AnyKind] = [PROCESS, STALLED]
PERIODICS: list[AnyPeriodic] = [PeriodicJob("media.order_stalled", 300_000, STALLED, NoArgs())]
