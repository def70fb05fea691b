"""Opaque ids: a type prefix and a ULID, so that ids of one kind sort by creation.

The 80 bits behind the time are a count that starts at random and the count again, scattered by a salt of the process:
ids of one process are in strict order, those of two do not meet, and the last digits of all spread evenly. They are not
secrets: who may see a thing is decided by its owner.
Between processes the order is that of their clocks.
"""

import re
import secrets
from functools import lru_cache
from itertools import count

from stowboard.core import clock

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's, in lower case
_PAIRS = [a + b for a in _ALPHABET for b in _ALPHABET]


def new_id(prefix: str) -> str:
    global _latest
    # A clock that was set back does not bring ids back; `count` is the same for all threads.
    _latest = at_ms = max(_latest, clock.now_ms())
    number = next(_numbers)
    scattered = (_SALT + number * _SCATTER) & _HALF
    # Two digits at a time, written out: every write makes two ids, and this is half the price of a loop.
    return (
        f"{prefix}_{_time_digits(at_ms)}{_leading_digits(number >> 10)}{_PAIRS[number & 1023]}{_PAIRS[scattered >> 30]}"
        f"{_PAIRS[scattered >> 20 & 1023]}{_PAIRS[scattered >> 10 & 1023]}{_PAIRS[scattered & 1023]}"
    )


def id_at(prefix: str, at_ms: int) -> str:
    """An id as it would have been made at that time, for what comes from elsewhere with a date of its own."""
    return f"{prefix}_{_time_digits(at_ms)}{_base32(secrets.randbits(80), 16)}"


def least_id(prefix: str, at_ms: int) -> str:
    """What no id of that time or later is less than, and all earlier ones are."""
    return f"{prefix}_{_time_digits(at_ms)}{'0' * 16}"


def time_of(text: str) -> int:
    """When the id was made."""
    at_ms = 0
    for digit in text[-26:-16]:
        at_ms = at_ms << 5 | _ALPHABET.index(digit)
    return at_ms


def is_id(prefix: str, text: str) -> bool:
    """Whether the text could be such an id; anything else need not reach the database."""
    return len(text) == len(prefix) + 27 and text.startswith(prefix) and _ID(text) is not None


def _base32(value: int, digits: int) -> str:
    # Ten bits at a time: half the steps of one digit at a time.
    return "".join([_PAIRS[(value >> shift) & 1023] for shift in range(5 * digits - 10, -1, -10)])


@lru_cache(8)
def _time_digits(at_ms: int) -> str:
    return _base32(at_ms, 10)


@lru_cache(8)
def _leading_digits(number: int) -> str:
    return _base32(number, 6)


_ID = re.compile(r"[a-z]+_[0-9A-Za-z]{26}").fullmatch
_latest = 0
_numbers = count(secrets.randbits(39))
_SALT = secrets.randbits(40)
_HALF = 2**40 - 1
_SCATTER = 0x9E3779B97F  # odd, so that no two numbers give the same
