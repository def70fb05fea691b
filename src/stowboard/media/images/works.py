"""Work on images, off the event loop.

A few threads do all of it, as many as the settings say; libvips lets go of the interpreter while it works. What comes
while they are busy waits, but only so much of it: beyond that the answer is 503 at once rather than late. The library
is loaded with the first image, so that a server that never sees one stays small.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import BoundedSemaphore
from typing import ParamSpec, TypeVar

from stowboard.core.errors import ServiceUnavailable
from stowboard.media.images.picture import DerivedImage, Picture
from stowboard.media.images.transforms.formats import Format
from stowboard.media.images.transforms.recipe import Recipe

P = ParamSpec("P")
T = TypeVar("T")

#: Pieces of work that wait for a thread.
MOST_WAITING = 64


class ImageWorks:
    def __init__(self, slots: int) -> None:
        self._threads = ThreadPoolExecutor(slots, thread_name_prefix="images")
        self._room = BoundedSemaphore(slots + MOST_WAITING)

    async def inspect(self, source: Path | bytes) -> Picture:
        """What the image is. Raises InvalidMedia if it is none that we read, damaged or too large."""
        return await self._run(_inspect, source)

    async def derive(
        self, source: Path | bytes, recipe: Recipe, image_format: Format, full_size: tuple[int, int] | None = None
    ) -> DerivedImage:
        """An image made of another, or of a reduction of one that has this size. Raises InvalidMedia."""
        return await self._run(_derive, source, recipe, image_format, full_size)

    async def close(self) -> None:
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    async def _run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        if not self._room.acquire(blocking=False):
            raise ServiceUnavailable("Too many images are being worked on. Nothing was changed; retry.")
        future = self._threads.submit(work, *args, **kwargs)
        # Also when the caller is cancelled: work that has begun keeps its place until it ends.
        future.add_done_callback(lambda _: self._room.release())
        return await asyncio.wrap_future(future)


def _inspect(source: Path | bytes) -> Picture:
    from stowboard.media.images.inspection import inspect_image

    return inspect_image(source)


def _derive(
    source: Path | bytes, recipe: Recipe, image_format: Format, full_size: tuple[int, int] | None
) -> DerivedImage:
    from stowboard.media.images.transforms.pipeline import derive_image

    return derive_image(source, recipe, image_format, full_size)
