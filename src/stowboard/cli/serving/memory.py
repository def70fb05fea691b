"""Memory of a server: settings of Python's garbage collector and of the C library."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

#: For each thread that makes chunks or ends them. More than an upload has in memory at a time.
KEPT = 16 * 1024 * 1024


@contextmanager
def loaded_for_good() -> Iterator[None]:
    """Keep the garbage collector away from modules that are loaded here, since they stay.

    Collecting while they load is a sixth of a start, and later each full collection would stop the event loop."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def reuse_memory() -> None:
    """Let the C library keep some free memory for the next chunks of a body.

    By itself glibc gives free memory back as soon as there is about a megabyte of it at the end of a heap, and an
    upload gets all of it again, page by page. How much it keeps, it learns: twice the largest block that came and went.
    So one comes and goes. Any image of that size teaches it the same; it forgets nothing until the process ends.

    Other C libraries have ways of their own and are left to them.
    """
    bytes(KEPT // 2)
