"""Opaque ids: a type prefix and a ULID, so that ids of one kind sort by creation.

Within one process and millisecond the random part counts upwards, which keeps the order strict there as well.
Between processes the order is that of their clocks.
"""

import secrets

from stowboard.core import clock

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's, in lower case
_PAIRS = [a + b for a in _ALPHABET for b in _ALPHABET]
_RANDOM_BITS = 80
_last = 0


def new_id(prefix: str) -> str:
    global _last
    value = (clock.now_ms() << _RANDOM_BITS) | secrets.randbits(_RANDOM_BITS - 1)
    if value <= _last:
        value = _last + 1
    _last = value
    return f"{prefix}_{_base32(value)}"


def id_at(prefix: str, at_ms: int) -> str:
    """An id as it would have been made at that time, for what comes from elsewhere with a date of its own."""
    return f"{prefix}_{_base32((at_ms << _RANDOM_BITS) | secrets.randbits(_RANDOM_BITS))}"


def is_id(prefix: str, text: str) -> bool:
    """Whether the text could be such an id; anything else need not reach the database."""
    start = len(prefix) + 1
    return len(text) == start + 26 and text.startswith(prefix) and text[start:].isalnum() and text.isascii()


def _base32(value: int) -> str:
    # Thirteen pairs of five bits: half the divisions of one character at a time.
    return "".join([_PAIRS[(value >> shift) & 1023] for shift in range(120, -1, -10)])
