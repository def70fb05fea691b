"""The port to what makes a video playable.

A provider is told of a video in the transaction that finalizes it, and says how it went by writing the video's row:
`ready` with its duration and size, or `failed` with a reason. The built-in one is ffmpeg, whose work are jobs; a
hosted one would order its own there, and hear of the end by its own means.
"""

from typing import Protocol

from stowboard.db.database import Tx
from stowboard.media.videos.video import Video


class VideoProvider(Protocol):
    async def begin(self, tx: Tx, video: Video) -> None:
        """Its bytes are at `video.blob_key` and it is `processing`: order the work."""

    async def find_poster(self, tx: Tx, video: Video, at_ms: int) -> None:
        """Order the work that makes the picture of this moment the poster."""

    async def forget(self, tx: Tx, video: Video) -> None:
        """It is being deleted: cancel the work, and remove what was made. The row goes with this transaction."""
