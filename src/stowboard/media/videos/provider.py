"""The port to what makes a video playable.

A provider is told of a video in the transaction that finalizes it, and says how it went by writing the video's row:
`ready` with its duration and size, or `failed` with a reason. The built-in provider is ffmpeg, which works in jobs. A
hosted one would order its work in that transaction, and learn of the end in its own way.
"""

from typing import Protocol

from stowboard.db.database import Tx
from stowboard.media.videos.video import Video


class VideoProvider(Protocol):
    async def begin(self, tx: Tx, video: Video) -> None:
        """Order the work. The video is `processing`, and its bytes are at `video.blob_key`."""

    async def find_poster(self, tx: Tx, video: Video, at_ms: int) -> None:
        """Order the work that makes the picture of this moment the poster."""

    async def forget(self, tx: Tx, video: Video) -> None:
        """Cancel the work, and remove what was made: this transaction deletes the video and its row."""
