"""Work on images, PDFs and audio, off the event loop and in other processes.

Bytes of strangers are decoded in child processes that can be killed (`decoding`); the settings say how many at once.
They start with the first image, so that a server that never sees one stays small, and end after some idle minutes. Work
waits while they are busy; beyond a bound the answer is 503 at once rather than late.
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
from stowboard.media.images.decoding.child import MEBIBYTE
from stowboard.media.images.decoding.messages import (
    DecoderAnswer,
    DecoderQuestion,
    DerivationQuestion,
    DescriptionQuestion,
    InspectionQuestion,
)
from stowboard.media.images.decoding.pool import DecoderLimits, Decoders
from stowboard.media.images.documents.description import PDF, FileDescription
from stowboard.media.images.picture import NOT_AN_IMAGE, DerivedImage, Picture
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.images.transforms.recipe import TransformRecipe

#: Pieces of work that wait for a child.
MOST_WAITING = 64
IDLE_S = 300.0
#: Processor time and memory for a page of a document. A page can be made to need any amount of both.
PAGE_CPU_S, PAGE_MEMORY = 10, 512 * MEBIBYTE
#: For jobs. They may wait long for a processor, which is not the fault of the file.
_GIVING_WAY = DecoderLimits(wall_s=1800.0, niceness=10)


class ImageWorks:
    def __init__(self, slots: int, limits: DecoderLimits | None = None, idle_s: float = IDLE_S) -> None:
        self._limits, self._idle_s = limits or DecoderLimits(), idle_s
        self._decoders = Decoders(self._limits)
        self._threads = ThreadPoolExecutor(slots, thread_name_prefix="images")
        self._room = BoundedSemaphore(slots + MOST_WAITING)
        self._idle: asyncio.TimerHandle | None = None

    async def inspect(self, source: Path | bytes, *, strip_location: bool = False) -> Picture:
        """Read an image. Raises InvalidMedia if it is damaged, too large or of an unknown type."""
        answer = await self._run(source, InspectionQuestion(self._limits.cpu_s, strip_location))
        assert isinstance(answer, Picture)
        return answer

    async def derive(
        self,
        source: Path | bytes,
        recipe: TransformRecipe,
        image_format: ImageFormat,
        full_size: tuple[int, int] | None = None,
    ) -> DerivedImage:
        """Make an image of another; `full_size` is the original's if `source` is its reduction. Raises InvalidMedia."""
        answer = await self._run(source, DerivationQuestion(self._limits.cpu_s, recipe, image_format, full_size))
        assert isinstance(answer, DerivedImage)
        return answer

    async def describe(self, source: Path | bytes, mime_type: str) -> FileDescription:
        """Make the placeholder and the picture of a file. Raises InvalidMedia, with a reason for people."""
        question = DescriptionQuestion(self._limits.cpu_s, mime_type)
        if mime_type == PDF:
            question = DescriptionQuestion(min(PAGE_CPU_S, self._limits.cpu_s), mime_type, PAGE_MEMORY)
        answer = await self._run(source, question)
        assert isinstance(answer, FileDescription)
        return answer

    async def close(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        await asyncio.to_thread(self._decoders.close)
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    async def _run(self, source: Path | bytes, question: DecoderQuestion) -> DecoderAnswer:
        if not self._room.acquire(blocking=False):
            raise ServiceUnavailable("Too many images are being worked on. Nothing was changed; retry.")
        future = self._threads.submit(self._ask, source, question)
        # Not when the caller is cancelled: work that has begun keeps its place until it ends.
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
    """The works of jobs: their decoders have a low priority."""

    def __init__(self, slots: int) -> None:
        super().__init__(slots, _GIVING_WAY)


@contextmanager
def _descriptor(source: Path | bytes) -> Iterator[int]:
    """A descriptor to read the bytes from: of the file, or of one in memory."""
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
