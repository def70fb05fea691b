"""Questions to a decoder, its answers, and the reasons for people why it gave up.

A message is MessagePack behind four bytes of length. The descriptor of a file comes with a question, so that no
bytes are sent and the decoder needs no folder.
"""

import socket
import struct
from typing import TypeAlias, TypeVar

import msgspec

from stowboard.media.images.documents.description import FileDescription
from stowboard.media.images.picture import DerivedImage, Picture
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.images.transforms.recipe import TransformRecipe

T = TypeVar("T")

#: Sent by a decoder when it can be asked.
READY = b"!"
_LENGTH = struct.Struct("!I")
_STORE = "as it is, it can be stored with POST /media/upload/file."
_DOWNLOAD = "It can be downloaded as it is."


class InspectionQuestion(msgspec.Struct, frozen=True, tag=True):
    #: Seconds of processor time.
    cpu_s: int
    strip_location: bool = False


class DerivationQuestion(msgspec.Struct, frozen=True, tag=True):
    cpu_s: int
    recipe: TransformRecipe
    format: ImageFormat
    full_size: tuple[int, int] | None = None


class DescriptionQuestion(msgspec.Struct, frozen=True, tag=True):
    """Asks for the placeholder and the picture of a file of this type."""

    cpu_s: int
    mime_type: str
    #: Bytes of memory that the work may take; None is all that the decoder has.
    memory: int | None = None


class DecoderRefusal(msgspec.Struct, frozen=True, tag=True):
    """The reason why the bytes are refused, for people."""

    message: str


DecoderQuestion: TypeAlias = InspectionQuestion | DerivationQuestion | DescriptionQuestion
DecoderAnswer: TypeAlias = Picture | DerivedImage | FileDescription | DecoderRefusal


def too_heavy(question: DecoderQuestion) -> str:
    if isinstance(question, DescriptionQuestion):
        return (
            "The file cannot be shown: its reader crashed or needed more memory than it may have, as happens with"
            f" damaged files. {_DOWNLOAD}"
        )
    return (
        "The image cannot be decoded: its decoder crashed, or wanted more memory than it may have. Save it again with"
        f" another program; {_STORE}"
    )


def too_slow(question: DecoderQuestion) -> str:
    if isinstance(question, DescriptionQuestion):
        return f"The file cannot be shown: reading it takes longer than it may. {_DOWNLOAD}"
    return (
        "The image takes longer to decode than an image may, and was given up. Save it again, smaller or in another"
        f" format; {_STORE}"
    )


def write(message: DecoderQuestion | DecoderAnswer) -> bytes:
    encoded = msgspec.msgpack.encode(message)
    return _LENGTH.pack(len(encoded)) + encoded


def read_question(connection: socket.socket) -> tuple[DecoderQuestion, int] | None:
    """The question and the descriptor, which the caller closes. None if the other side is gone."""
    head, descriptors, _, _ = socket.recv_fds(connection, _LENGTH.size, 1)
    if not head:
        return None
    return _read(connection, head, _QUESTIONS), descriptors[0]


def read_answer(connection: socket.socket) -> DecoderAnswer:
    """Raises EOFError if the decoder is gone, TimeoutError, and MsgspecError for a malformed answer."""
    return _read(connection, b"", _ANSWERS)


def _read(connection: socket.socket, head: bytes, decoder: msgspec.msgpack.Decoder[T]) -> T:
    (length,) = _LENGTH.unpack(head + _exactly(connection, _LENGTH.size - len(head)))
    return decoder.decode(_exactly(connection, length))


def _exactly(connection: socket.socket, size: int) -> bytearray:
    if size > _LONGEST:
        raise EOFError
    received = bytearray(size)
    rest = memoryview(received)
    while rest:
        count = connection.recv_into(rest)
        if not count:
            raise EOFError
        rest = rest[count:]
    return received


#: No derived image is larger.
_LONGEST = 256 << 20
_QUESTIONS: msgspec.msgpack.Decoder[DecoderQuestion] = msgspec.msgpack.Decoder(DecoderQuestion)
_ANSWERS: msgspec.msgpack.Decoder[DecoderAnswer] = msgspec.msgpack.Decoder(DecoderAnswer)
