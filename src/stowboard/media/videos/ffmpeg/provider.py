"""ffmpeg as the provider of playable videos: its work are jobs of the queue `video`."""

from stowboard.db.database import Tx
from stowboard.jobs.queue import enqueue
from stowboard.media.base.discard import discard_later
from stowboard.media.videos.ffmpeg.endings import remove_rungs
from stowboard.media.videos.ffmpeg.transcoding import PROBE, Probe, cancel_jobs
from stowboard.media.videos.video import Video


class FfmpegProvider:
    async def begin(self, tx: Tx, video: Video) -> None:
        await enqueue(tx, PROBE, Probe(video.id), dedup=video.id)

    async def forget(self, tx: Tx, video: Video) -> None:
        """The steps and the poster go; the file that was uploaded is the caller's."""
        await cancel_jobs(tx, video)
        poster = [video.poster_key] if video.poster_key is not None else []
        await discard_later(tx, await remove_rungs(tx, video) + poster)
