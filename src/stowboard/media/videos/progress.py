"""How far videos are: bytes that have arrived, and the renditions of their ladders, made and being made."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import msgspec

from stowboard.db.database import Tx
from stowboard.media.videos.video import ORIGINAL, Rendition, Video, VideoId, VideoStatus


class PlayableRendition(NamedTuple):
    """A rendition that can be played. Without pictures it has sides of 0."""

    name: str
    width: int
    height: int
    bandwidth: int


R = TypeVar("R", Rendition, PlayableRendition)


class VideoProgress(msgspec.Struct, frozen=True):
    """`percent` is that of the processing, the mean over the ladder; None if nothing is being made."""

    offset: int
    length: int | None
    percent: int | None = None
    #: Smallest first.
    renditions: tuple[PlayableRendition, ...] = ()
    #: Languages of the captions.
    captions: tuple[str, ...] = ()


async def progress_of(tx: Tx, videos: Sequence[Video]) -> dict[VideoId, VideoProgress]:
    """Three statements for all videos. If an upload is forgotten, all of the video's bytes had come, or none."""
    if not videos:
        return {}
    numbers = ", ".join(f"${number + 1}" for number in range(len(videos)))
    ids = [video.id for video in videos]
    uploads = await tx.all(
        "SELECT v.id, u.received, u.length FROM video AS v JOIN upload AS u ON u.id = v.upload_id"
        f" WHERE v.id IN ({numbers})",
        *ids,
    )
    renditions = await tx.all(
        "SELECT video_id, progress, playlist IS NOT NULL, name, width, height, bandwidth FROM video_rendition"
        f" WHERE video_id IN ({numbers}) ORDER BY video_id, height",
        *ids,
    )
    captions = await tx.all(
        f"SELECT video_id, language FROM video_caption WHERE video_id IN ({numbers}) ORDER BY video_id, language", *ids
    )
    received = {row[0]: (row[1], row[2]) for row in uploads}
    return {
        video.id: VideoProgress(
            *received.get(video.id, (video.size or 0, video.size)),
            percent=_percent(
                video, [(row[1], bool(row[2])) for row in renditions if row[0] == video.id and row[3] != ORIGINAL]
            ),
            renditions=tuple(
                offered([PlayableRendition(*row[3:]) for row in renditions if row[0] == video.id and row[2]])
            ),
            captions=tuple(row[1] for row in captions if row[0] == video.id),
        )
        for video in videos
    }


def offered(made: Sequence[R]) -> list[R]:
    """The renditions that players choose from.

    The original leaves when another of its size is made: its segments begin at other times than those of the ladder.
    """
    sizes = {rendition.height for rendition in made if rendition.name != ORIGINAL}
    return [rendition for rendition in made if rendition.name != ORIGINAL or rendition.height not in sizes]


def _percent(video: Video, plans: list[tuple[int, bool]]) -> int | None:
    """The mean over `plans`: how far each rendition is, and True if it is made. None if nothing is being made."""
    if video.status is VideoStatus.PROCESSING and not plans:
        return 0
    if video.status not in (VideoStatus.PROCESSING, VideoStatus.READY) or all(made for _, made in plans):
        return None
    return sum(percent for percent, _ in plans) // len(plans)
