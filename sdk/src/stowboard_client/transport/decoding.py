"""JSON as models, for programs with several threads."""

import threading
from typing import TypeVar

import msgspec

T = TypeVar("T")
#: msgspec 0.22 examines a type when it is first used, and crashes Python if two threads do so at once.
_examining = threading.Lock()


def decode(content: bytes | str | msgspec.Raw, model: type[T]) -> T:
    """Raises MsgspecError or UnicodeDecodeError."""
    with _examining:
        decoder = msgspec.json.Decoder(model)
    return decoder.decode(content)
