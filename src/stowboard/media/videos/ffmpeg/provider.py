"""ffmpeg as the provider of playable videos: its work are jobs of the queue `video`."""

from stowboard.db.database import Tx
from stowboard.jobs.queue import enqueue
from stowboard.media.base.discard import discard_later
from stowboard.media.videos.ffmpeg.endings import remove_renditions
from stowboard.media.videos.ffmpeg.transcoding import MAKE, POSTER, FindPoster, MakeVideo, cancel_jobs
from stowboard.media.videos.video import Video


class FfmpegProvider:
    async def begin(self, tx: Tx, video: Video) -> None:
        await enqueue(tx, MAKE, MakeVideo(video.id), dedup=video.id)

    async def find_poster(self, tx: Tx, video: Video, at_ms: int) -> None:
        await enqueue(tx, POSTER, FindPoster(video.id, at_ms), dedup=video.id)

    async def forget(self, tx: Tx, video: Video) -> None:
        """The renditions, the poster and the storyboard go; the file that was uploaded is the caller's."""
        await cancel_jobs(tx, video)
        pictures = [key for key in (video.poster_key, video.storyboard_key) if key is not None]
        await discard_later(tx, await remove_renditions(tx, video) + pictures)
