"""How a server uses memory: modules that stay, and freed memory that the C library keeps (docs/performance.md)."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

#: Freed memory that glibc keeps for each thread. It is more than an upload has in memory at a time.
KEPT = 16 * 1024 * 1024


@contextmanager
def loaded_for_good() -> Iterator[None]:
    """Keep the modules that are loaded inside out of garbage collection.

    They stay, so collecting finds nothing: it costs a sixth of a start, and later stops the event loop for a while.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def reuse_memory() -> None:
    """Make glibc keep freed memory for the next pieces of an upload.

    glibc returns free memory to the kernel above a threshold, and an upload takes it back page by page. glibc sets the
    threshold to twice the largest block that was freed, so this frees one. Other C libraries do not change.
    """
    bytes(KEPT // 2)
