"""Sends a file by the TUS protocol, and continues after an interruption.

The file is sent in pieces. After a temporary failure (no connection, a busy server, another writer) the server is asked
for its offset, and the rest is sent. The upload fails only after several failures in a row without a byte of progress.
The address itself is the permission, so the token is not sent to it. The file is read as it is sent, in the caller's
own thread.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from os import SEEK_END, PathLike
from pathlib import Path
from typing import BinaryIO, TypeAlias

import httpx2

from stowboard_client.errors import ApiError, ConnectionFailed, StowboardError, UnreadableAnswer, UploadGone, checked
from stowboard_client.transport.session import Session, backoff
from stowboard_client.transport.steps import Pause, Steps

#: A path, bytes, or a binary file that can seek.
Source: TypeAlias = str | PathLike[str] | bytes | BinaryIO
#: Called with the bytes that were sent, and with how many there are.
Progress: TypeAlias = Callable[[int, int], None]
PIECE = 8 * 1024 * 1024
_TUS = {"tus-resumable": "1.0.0"}
#: 409: the server has another offset by now; 423: another request writes. The server is then asked for its offset.
_PASSING = {408, 409, 423, 429, 500, 502, 503, 504}


@contextmanager
def opened(source: Source) -> Iterator[tuple[BinaryIO, int]]:
    """The source as a file, and its size. A file that the caller opened stays open."""
    if isinstance(source, bytes):
        yield BytesIO(source), len(source)
    elif isinstance(source, str | PathLike):
        with Path(source).open("rb") as file:
            yield file, file.seek(0, SEEK_END)
    else:
        yield source, source.seek(0, SEEK_END)


def ignore_progress(_sent: int, _size: int) -> None:
    """The progress of a caller that asked for none."""


def send_file(
    session: Session, url: str, file: BinaryIO, size: int, piece: int = PIECE, progress: Progress = ignore_progress
) -> Steps[None]:
    """Send the bytes that the upload at this address does not have yet. Raises a failure that is not temporary."""
    reached, failures = -1, 0
    while True:
        try:
            offset, deferred = yield from _state(session, url, size)
            failures = 0 if offset > reached else failures
            reached = max(reached, offset)
            progress(offset, size)
            while offset < size or deferred:
                offset = yield from _send_piece(session, url, file, offset, size, piece)
                reached, failures, deferred = offset, 0, False
                progress(offset, size)
            return
        except StowboardError as failure:
            failures += 1
            if failures > session.options.retries or not passes(failure):
                raise
        yield Pause(backoff(failures))


def _state(session: Session, url: str, size: int) -> Steps[tuple[int, bool]]:
    """The number of bytes that the server has, and True if it does not know the length yet."""
    response = yield from session.send(httpx2.Request("HEAD", url, headers=_TUS))
    if response.status_code == 410:  # the answer to a HEAD has no body that could say so
        raise UploadGone(410, "upload_gone", "The upload has ended or was given up; begin another one.")
    length = checked(response).headers.get("upload-length")
    if length is not None and length != str(size):
        raise ValueError(f"the upload is one of {length} bytes, and the file has {size}")
    return _offset(response), length is None


def _send_piece(session: Session, url: str, file: BinaryIO, offset: int, size: int, piece: int) -> Steps[int]:
    file.seek(offset)
    content = file.read(piece)
    if not content and offset < size:
        raise ValueError("the file became shorter while it was sent")
    headers = _TUS | {
        "upload-offset": str(offset),
        "upload-length": str(size),
        "content-type": "application/offset+octet-stream",
    }
    request = httpx2.Request("PATCH", url, headers=headers, content=content)
    answered = _offset(checked((yield from session.send(request))))
    if answered <= offset < size:
        raise UnreadableAnswer(f"PATCH {url} took bytes at {offset} and is at {answered}")
    return answered


def _offset(response: httpx2.Response) -> int:
    text = response.headers.get("upload-offset", "")
    if not text.isdecimal():
        raise UnreadableAnswer(f"{response.request.method} {response.request.url} told no Upload-Offset")
    return int(text)


def passes(failure: StowboardError) -> bool:
    """True if a later attempt may succeed, or the server knows the offset better than we do."""
    return isinstance(failure, ConnectionFailed) or (isinstance(failure, ApiError) and failure.status in _PASSING)
