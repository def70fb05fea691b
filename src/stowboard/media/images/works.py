"""Work on images, and on files that get a picture, off the event loop and out of this process.

Bytes of strangers are decoded in children that can be killed (`decoding`): as many at once as the settings say, started
with the first images, so that a server that never sees one stays small, and ended when there was none for a while. What
comes while they are busy waits, but only so much of it: beyond that the answer is 503 at once rather than late.
"""

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import BoundedSemaphore

from stowboard.core.errors import ServiceUnavailable
from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.decoding.messages import (
    DecoderAnswer,
    DecoderQuestion,
    DerivationAnswer,
    DerivationQuestion,
    DescriptionAnswer,
    DescriptionQuestion,
    InspectionAnswer,
    InspectionQuestion,
)
from stowboard.media.images.decoding.pool import DecoderLimits, Decoders
from stowboard.media.images.documents.description import FileDescription
from stowboard.media.images.picture import NOT_AN_IMAGE, DerivedImage, Picture
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.images.transforms.recipe import TransformRecipe

#: Pieces of work that wait for a child.
MOST_WAITING = 64
IDLE_S = 300.0
#: For what nobody waits for. Beside others it may have to wait long for a processor, which is no fault of the file.
_GIVING_WAY = DecoderLimits(wall_s=1800.0, niceness=10)


class ImageWorks:
    def __init__(self, slots: int, limits: DecoderLimits | None = None, idle_s: float = IDLE_S) -> None:
        self._limits, self._idle_s = limits or DecoderLimits(), idle_s
        self._decoders = Decoders(self._limits)
        self._threads = ThreadPoolExecutor(slots, thread_name_prefix="images")
        self._room = BoundedSemaphore(slots + MOST_WAITING)
        self._idle: asyncio.TimerHandle | None = None

    async def inspect(self, source: Path | bytes, *, strip_location: bool = False) -> Picture:
        """What the image is. Raises InvalidMedia if it is none that we read, damaged or too large."""
        answer = await self._run(source, InspectionQuestion(self._limits.cpu_s, strip_location))
        assert isinstance(answer, InspectionAnswer)
        return answer.picture

    async def derive(
        self,
        source: Path | bytes,
        recipe: TransformRecipe,
        image_format: ImageFormat,
        full_size: tuple[int, int] | None = None,
    ) -> DerivedImage:
        """An image made of another, or of a reduction of one that has this size. Raises InvalidMedia."""
        answer = await self._run(source, DerivationQuestion(self._limits.cpu_s, recipe, image_format, full_size))
        assert isinstance(answer, DerivationAnswer)
        return answer.image

    async def describe(self, source: Path | bytes, mime_type: str) -> FileDescription:
        """How to show a file, and the picture that is kept with it. Raises InvalidMedia, with a reason for people."""
        answer = await self._run(source, DescriptionQuestion(self._limits.cpu_s, mime_type))
        assert isinstance(answer, DescriptionAnswer)
        return answer.description

    async def close(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        await asyncio.to_thread(self._decoders.close)
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    async def _run(self, source: Path | bytes, question: DecoderQuestion) -> DecoderAnswer:
        if not self._room.acquire(blocking=False):
            raise ServiceUnavailable("Too many images are being worked on. Nothing was changed; retry.")
        future = self._threads.submit(self._ask, source, question)
        # Also when the caller is cancelled: work that has begun keeps its place until it ends.
        future.add_done_callback(lambda _: self._room.release())
        self._end_idle_later()
        return await asyncio.wrap_future(future)

    def _ask(self, source: Path | bytes, question: DecoderQuestion) -> DecoderAnswer:
        with _descriptor(source) as descriptor:
            return self._decoders.ask(question, descriptor)

    def _end_idle_later(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        end = self._threads.submit
        self._idle = asyncio.get_running_loop().call_later(self._idle_s, end, self._decoders.end_idle)


class BackgroundWorks(ImageWorks):
    """The works of jobs: their decoders give way to requests, and to all else on the machine."""

    def __init__(self, slots: int) -> None:
        super().__init__(slots, _GIVING_WAY)


@contextmanager
def _descriptor(source: Path | bytes) -> Iterator[int]:
    """To read the bytes from: of the file, or of one that is in memory alone."""
    try:
        descriptor = os.memfd_create("image") if isinstance(source, bytes) else os.open(source, os.O_RDONLY)
    except FileNotFoundError:  # it was just deleted
        raise InvalidMedia(NOT_AN_IMAGE) from None
    try:
        if isinstance(source, bytes):
            rest = memoryview(source)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
        yield descriptor
    finally:
        os.close(descriptor)
