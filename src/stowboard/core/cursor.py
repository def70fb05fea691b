"""Cursors: where a page ended, signed, and bound to the list, the filters and the owner it was made for."""

import base64
import binascii
from typing import TypeVar

import msgspec

from stowboard.core.errors import InvalidCursor
from stowboard.core.signing import Keyring

T = TypeVar("T")
_SIGNATURE_BYTES = 16
_PURPOSE = "cursor"


def write_cursor(keyring: Keyring, position: tuple[str | int, ...], *binding: object) -> str:
    payload = msgspec.json.encode(position)
    key_id, signature = keyring.sign(_PURPOSE, _signed(payload, binding))
    return f"{key_id}.{_text(signature[:_SIGNATURE_BYTES] + payload)}"


def read_cursor(keyring: Keyring, cursor: str, position: type[T], *binding: object) -> T:
    """The position, as the given tuple type. Raises InvalidCursor for anything that we did not write for this list."""
    key_id, _, text = cursor.partition(".")
    try:
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        raise InvalidCursor from None
    if _text(raw) != text:  # padding, or characters that decoding passes over
        raise InvalidCursor
    signature, payload = raw[:_SIGNATURE_BYTES], raw[_SIGNATURE_BYTES:]
    if not keyring.verifies(_PURPOSE, key_id, _signed(payload, binding), signature, _SIGNATURE_BYTES):
        raise InvalidCursor
    return msgspec.json.decode(payload, type=position)


def _signed(payload: bytes, binding: tuple[object, ...]) -> bytes:
    return payload + b"\0" + msgspec.json.encode(binding)


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
