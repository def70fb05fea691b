"""The program that decodes: `python -m stowboard.media.images.decoding.decoder SOCKET`, confined.

It answers one question after the other until the other side is gone. A question comes with a descriptor to read from;
the program opens no file, and may write none. Before each question it sets its limit of processor time; the system ends
it when that is over. Nothing here tries to survive a library that crashes: there are other processes.
"""

import math
import mmap
import os
import re
import resource
import socket
import sys
import time
from pathlib import Path

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.base.image_types import IMAGE_TYPES
from stowboard.media.images.decoding.messages import (
    READY,
    DecoderAnswer,
    DecoderQuestion,
    DecoderRefusal,
    DerivationQuestion,
    DescriptionQuestion,
    read_question,
    too_heavy,
    write,
)
from stowboard.media.images.documents.description import FileDescription
from stowboard.media.images.inspection import describe_image, inspect_image
from stowboard.media.images.libvips import LARGEST_IN_MEMORY, Source
from stowboard.media.images.transforms.pipeline import derive_image

#: As libvips and the libraries below it say it.
_OUT_OF_MEMORY = re.compile("memory|malloc", re.IGNORECASE)


def main(connection: socket.socket) -> None:
    _hush()
    connection.sendall(READY)
    while (asked := read_question(connection)) is not None:
        question, descriptor = asked
        try:
            answer = _answer(question, descriptor)
        finally:
            os.close(descriptor)
        connection.sendall(write(answer))


def _hush() -> None:
    """Silence the libraries: they print about the files of strangers, into the server's log."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stderr.fileno())
    os.close(nothing)


def _answer(question: DecoderQuestion, descriptor: int) -> DecoderAnswer:
    _allow(question.cpu_s, question.memory if isinstance(question, DescriptionQuestion) else None)
    try:
        if isinstance(question, DescriptionQuestion):
            return _describe(descriptor, question.mime_type)
        source = _source(descriptor)
        if isinstance(question, DerivationQuestion):
            return derive_image(source, question.recipe, question.format, question.full_size)
        return inspect_image(source, strip_location=question.strip_location)
    except InvalidMedia as problem:
        return DecoderRefusal(too_heavy(question) if _OUT_OF_MEMORY.search(str(problem.__cause__)) else problem.message)
    except MemoryError:
        return DecoderRefusal(too_heavy(question))


def _allow(cpu_s: int, memory: int | None) -> None:
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time()) + cpu_s, most))
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    wanted = most if memory is None else min(most, pages * resource.getpagesize() + memory)
    resource.setrlimit(resource.RLIMIT_AS, (wanted, most))


def _describe(descriptor: int, mime_type: str) -> FileDescription:
    if mime_type in IMAGE_TYPES:
        return describe_image(_source(descriptor))
    # Imported with the first such file: most decoders see only images.
    from stowboard.media.images.documents.describing import describe_file

    return describe_file(_path(descriptor), mime_type)


def _source(descriptor: int) -> Source:
    size = os.fstat(descriptor).st_size
    if size == 0:
        return b""
    if size > LARGEST_IN_MEMORY:
        return _path(descriptor)
    return mmap.mmap(descriptor, size, access=mmap.ACCESS_READ)


def _path(descriptor: int) -> Path:
    """A path that opens the file again, so that each reader has its own position in it."""
    return Path(f"/proc/self/fd/{descriptor}")


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
