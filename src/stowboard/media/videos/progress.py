"""How far videos are: bytes that have arrived, and the steps of their ladders that are being made."""

from collections.abc import Sequence

import msgspec

from stowboard.db.database import Tx
from stowboard.media.videos.video import Video, VideoId


class VideoProgress(msgspec.Struct, frozen=True):
    """`percent` is that of the processing, the mean over the ladder."""

    offset: int
    length: int | None
    percent: int


async def progress_of(tx: Tx, videos: Sequence[Video]) -> dict[VideoId, VideoProgress]:
    """One statement for all of them. An upload that is forgotten had all of the video's bytes, or never any."""
    if not videos:
        return {}
    numbers = ", ".join(f"${number + 1}" for number in range(len(videos)))
    rows = await tx.all(
        "SELECT v.id, u.received, u.length, (SELECT CAST(sum(r.progress) AS BIGINT) / count(*) FROM video_rung AS r"
        " WHERE r.video_id = v.id) FROM video AS v LEFT JOIN upload AS u ON u.id = v.upload_id"
        f" WHERE v.id IN ({numbers})",
        *(video.id for video in videos),
    )
    found = {video_id: (received, length, percent) for video_id, received, length, percent in rows}
    return {video.id: _progress(video, *found.get(video.id, (None, None, None))) for video in videos}


def _progress(video: Video, received: int | None, length: int | None, percent: int | None) -> VideoProgress:
    if received is None:
        return VideoProgress(video.size or 0, video.size, percent or 0)
    return VideoProgress(received, length, percent or 0)
