"""Videos as `finalize` leaves them, and what a worker needs to make them playable."""

import asyncio
import secrets
from pathlib import Path
from typing import Any

from stowboard.blobs.keys import new_key
from stowboard.blobs.store import BlobStore
from stowboard.core import clock
from stowboard.core.ids import new_id
from stowboard.core.reach import LIBRARY
from stowboard.core.services import Services
from stowboard.db.database import Database, Tx
from stowboard.media.base.discard import DISCARD
from stowboard.media.base.settings import MediaSettings
from stowboard.media.videos import rendition_store, video_store
from stowboard.media.videos.ffmpeg.transcoding import JOBS, forget_work, prepare_later
from stowboard.media.videos.video import ProviderVideoId, Rendition, Video, VideoId, VideoStatus
from support.jobs.working import working
from support.waiting import PATIENCE_SECONDS

KINDS = [*JOBS, DISCARD]


class Studio:
    """A database, a store and a folder, with the jobs of videos."""

    def __init__(self, db: Database, blobs: BlobStore, work_dir: Path, ffmpeg: str | None = None) -> None:
        self.db, self.blobs, self.work_dir = db, blobs, work_dir
        self._services = Services()
        self._services.add(BlobStore, blobs)
        self._services.add(MediaSettings, MediaSettings(work_dir=work_dir, ffmpeg=ffmpeg))

    def working(self, **options: Any) -> Any:
        return working(self.db, *KINDS, services=self._services, **options)

    async def add(self, content: bytes) -> VideoId:
        """A video whose bytes are all there, and that was finalized."""
        return await add_video(self.db, self.blobs, content)

    async def delete(self, video_id: VideoId) -> None:
        await self.db.transact(_delete, video_id)

    async def get(self, video_id: VideoId) -> Video:
        video = await self.db.read(video_store.find, video_id)
        assert video is not None
        return video

    async def renditions(self, video_id: VideoId) -> list[Rendition]:
        return await self.db.read(rendition_store.of_video, video_id)

    async def ended(self, video_id: VideoId, seconds: float = PATIENCE_SECONDS) -> Video:
        """The video, once it is ready or failed and nothing more is to be done for it."""
        async with asyncio.timeout(seconds):
            while True:
                left = await self.db.read(_jobs_left)  # before the video, which the last job changes
                video = await self.get(video_id)
                if video.status is not VideoStatus.PROCESSING and not left:
                    return video
                await asyncio.sleep(0.05)

    async def stored(self) -> list[str]:
        """The kinds of the blobs that there are, in order."""
        return sorted([blob.key.partition("/")[0] async for blob in self.blobs.walk()])


async def add_video(db: Database, blobs: BlobStore, content: bytes) -> VideoId:
    now, key = clock.now_ms(), new_key("video")
    await blobs.put_bytes(key, content)
    video = Video(
        id=VideoId(new_id("vid")), space=LIBRARY, provider_video_id=ProviderVideoId(secrets.token_hex(16)),
        title="Harbour", status=VideoStatus.PROCESSING, upload_id=new_id("upl"), blob_key=key, size=len(content),
        mime_type="video/mp4", created_by="alice", created_at=now, updated_at=now, finalized_at=now,
    )  # fmt: skip
    await db.transact(_add, video)
    return video.id


async def _add(tx: Tx, video: Video) -> None:
    await video_store.put(tx, None, video)
    await prepare_later(tx, video)


async def _delete(tx: Tx, video_id: VideoId) -> None:
    video = await video_store.lock_known(tx, video_id)
    await forget_work(tx, video)
    await video_store.remove(tx, video)


async def _jobs_left(tx: Tx) -> bool:
    """But for the index's own (see `no_jobs_left`), and the one that drops the original a day later."""
    others = "('search.merge', 'video.drop_original')"
    return await tx.one(f"SELECT 1 FROM job WHERE dead = 0 AND kind NOT IN {others} LIMIT 1") is not None
