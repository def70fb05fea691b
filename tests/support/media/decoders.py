"""Children that decode images: which there are, and how to hold them up."""

import os
import signal

from stowboard.media.images.works import ImageWorks


def decoders_of(works: ImageWorks) -> list[int]:
    return sorted(works._decoders._children)


def held_decoders(works: ImageWorks) -> list[int]:
    """All that are running, stopped: whatever they are asked, they do not answer."""
    held = decoders_of(works)
    for pid in held:
        os.kill(pid, signal.SIGSTOP)
    return held


def let_go(held: list[int]) -> None:
    for pid in held:
        os.kill(pid, signal.SIGCONT)
