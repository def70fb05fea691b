"""What happens to videos, as events."""

from stowboard.db.database import Tx
from stowboard.events.outbox import emit
from stowboard.media.videos.video import Video


async def announce_video(tx: Tx, what: str, video: Video) -> None:
    """`created`, `uploaded` (all bytes are there), `ready`, `failed`, `updated`, `deleted`."""
    data = {"videoId": video.id, "providerVideoId": video.provider_video_id, "status": video.status}
    await emit(tx, f"media.video.{what}", video.created_by, video.id, data)
