"""Opaque ids: a type prefix and a ULID, so that ids of one kind sort by creation.

The 80 bits behind the time are random. Ids that one process makes within a millisecond follow each other by random
steps: they are in strict order, and nobody can guess the next one. Still, an id is no secret: permission never depends
on knowing it. Between processes the order is that of their clocks.
"""

import os
import re
import secrets
import struct
from functools import lru_cache

from stowboard.core import clock
from stowboard.core.errors import NotFound

#: Longer than any id of ours; a longer text is refused before it is looked for.
LONGEST_ID = 255
#: The number of parts of a count that many writers share.
PARTS = 16
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's, in lower case
_PAIRS = [a + b for a in _ALPHABET for b in _ALPHABET]


def new_id(prefix: str) -> str:
    # Two threads at once may both follow the same id; their random steps keep them apart.
    global _latest, _tail
    at_ms = clock.now_ms()
    tail = _tail + (_random() >> 2) + 1
    if at_ms > _latest or tail >> _TAIL_BITS:
        # After the clock was set back, ids continue from the latest one; a used-up millisecond continues in the next.
        _latest, tail = max(at_ms, _latest + 1), _random() << 16 | _random() & 0xFFFF
    _tail = tail
    # Ten bits at a time, written out: every write makes two ids, and this is half the price of a loop.
    return (
        f"{prefix}_{_time_digits(_latest)}{_PAIRS[tail >> 70]}{_PAIRS[tail >> 60 & 1023]}{_PAIRS[tail >> 50 & 1023]}"
        f"{_PAIRS[tail >> 40 & 1023]}{_PAIRS[tail >> 30 & 1023]}{_PAIRS[tail >> 20 & 1023]}{_PAIRS[tail >> 10 & 1023]}"
        f"{_PAIRS[tail & 1023]}"
    )


def id_at(prefix: str, at_ms: int) -> str:
    """An id as if made at that time, for imported things that have a date of their own."""
    return f"{prefix}_{_time_digits(at_ms)}{_base32(secrets.randbits(80), 16)}"


def least_id(prefix: str, at_ms: int) -> str:
    """The smallest id that could have been made at that time."""
    return f"{prefix}_{_time_digits(at_ms)}{'0' * 16}"


def time_of(text: str) -> int:
    """When the id was made."""
    at_ms = 0
    for digit in text[-26:-16]:
        at_ms = at_ms << 5 | _ALPHABET.index(digit)
    return at_ms


def part_of(text: str) -> int:
    """The part of a count in which the thing with this id is counted: writers of different parts never wait."""
    return ord(text[-1]) % PARTS


def number_of(text: str) -> int:
    """The beginning of the id as a 63-bit number. It sorts as ids do; two ids seldom have the same number."""
    return min(int(text[-26:-11].encode().translate(_AS_BASE32), 32) >> 4, _LATEST_NUMBER)


def is_id(prefix: str, text: str) -> bool:
    """True if the text could be such an id; anything else need not reach the database."""
    return len(text) == len(prefix) + 27 and text.startswith(prefix) and _ID(text) is not None


def checked_id(prefix: str, text: str) -> str:
    """Raises NotFound for a text that cannot be such an id."""
    if not is_id(prefix, text):
        raise NotFound
    return text


def _random() -> int:
    """64 random bits. The kernel gives many at a time, since each call may hand the interpreter to another thread."""
    while True:
        try:
            return _numbers.pop()
        except IndexError:
            _numbers.extend(struct.unpack("128Q", os.urandom(1024)))


def _base32(value: int, digits: int) -> str:
    # Ten bits at a time: half the steps of one digit at a time.
    return "".join([_PAIRS[(value >> shift) & 1023] for shift in range(5 * digits - 10, -1, -10)])


@lru_cache(8)
def _time_digits(at_ms: int) -> str:
    return _base32(at_ms, 10)


_AS_BASE32 = bytes.maketrans(_ALPHABET.encode(), b"0123456789abcdefghijklmnopqrstuv")
#: Times after the year 2109 do not fit.
_LATEST_NUMBER = ((1 << 42) - 1) << 21
_ID = re.compile(r"[a-z]+_[0-9A-Za-z]{26}").fullmatch
_numbers: list[int] = []
os.register_at_fork(after_in_child=_numbers.clear)  # or parent and child would make the same ids
_latest = 0
_tail = 0
_TAIL_BITS = 80
