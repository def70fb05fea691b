"""The program that decodes: `python -m stowboard.media.images.decoding.decoder SOCKET`, confined, asked time and again.

It answers one question after the other until the other side is gone. What it is given is a descriptor to read from; it
opens no file, and may write none. Before each piece of work it allows itself so much time on the processor; the system
ends it when that is over. Nothing here tries to survive a library that crashes: there are other processes.
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
    DerivationAnswer,
    DerivationQuestion,
    DescriptionAnswer,
    DescriptionQuestion,
    InspectionAnswer,
    read_question,
    write,
)
from stowboard.media.images.decoding.refusals import too_heavy
from stowboard.media.images.documents.description import FileDescription
from stowboard.media.images.inspection import describe_image, inspect_image
from stowboard.media.images.libvips import LARGEST_IN_MEMORY, Source
from stowboard.media.images.transforms.pipeline import derive_image

#: In the words of libvips and of the libraries below it.
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
    """What libraries print is about the files of strangers, and would be in the server's log."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stderr.fileno())
    os.close(nothing)


def _answer(question: DecoderQuestion, descriptor: int) -> DecoderAnswer:
    _allow(question.cpu_s)
    try:
        if isinstance(question, DescriptionQuestion):
            return DescriptionAnswer(_describe(descriptor, question.mime_type))
        source = _source(descriptor)
        if isinstance(question, DerivationQuestion):
            return DerivationAnswer(derive_image(source, question.recipe, question.format, question.full_size))
        return InspectionAnswer(inspect_image(source, strip_location=question.strip_location))
    except InvalidMedia as problem:
        return DecoderRefusal(too_heavy(question) if _OUT_OF_MEMORY.search(str(problem.__cause__)) else problem.message)
    except MemoryError:
        return DecoderRefusal(too_heavy(question))


def _allow(cpu_s: int) -> None:
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time()) + cpu_s, most))


def _describe(descriptor: int, mime_type: str) -> FileDescription:
    if mime_type in IMAGE_TYPES:
        return describe_image(_source(descriptor))
    # Loaded with the first file that needs them: most decoders see images alone.
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
    """Opened anew, so that each reader has a place of its own in it."""
    return Path(f"/proc/self/fd/{descriptor}")


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
