"""Cursors: where a page ended, signed, and bound to the list, the filters and the owner it was made for."""

import base64
import binascii
from typing import TypeAlias

import msgspec

from stowboard.core.errors import InvalidCursor
from stowboard.core.signing import Keyring

#: Where a page ended: the values of the columns that its list is ordered by.
Position: TypeAlias = tuple[str | int, ...]
_SIGNATURE_BYTES = 16
_PURPOSE = "cursor"
_decoder = msgspec.json.Decoder(Position)


def write_cursor(keyring: Keyring, position: Position, *binding: object) -> str:
    payload = msgspec.json.encode(position)
    key_id, signature = keyring.sign(_PURPOSE, _signed(payload, binding))
    return f"{key_id}.{_text(signature[:_SIGNATURE_BYTES] + payload)}"


def read_cursor(keyring: Keyring, cursor: str, *binding: object) -> Position:
    """Raises InvalidCursor for anything that we did not write for this list."""
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
    return _decoder.decode(payload)


def _signed(payload: bytes, binding: tuple[object, ...]) -> bytes:
    return payload + b"\0" + msgspec.json.encode(binding)


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
