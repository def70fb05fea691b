"""The time zone of this machine, by its IANA name."""

import os
from pathlib import Path

_LOCALTIME = Path("/etc/localtime")
_NAMED = Path("/etc/timezone")


def time_zone() -> str:
    """`$TZ` where it is a name, else what the system says, else UTC."""
    given = os.environ.get("TZ", "").lstrip(":")
    for name in (given, _linked(), _written()):
        if is_zone(name):
            return name
    return "UTC"


def _linked() -> str:
    try:
        return str(_LOCALTIME.resolve(strict=True)).partition("zoneinfo/")[2]
    except OSError:
        return ""


def _written() -> str:
    try:
        return _NAMED.read_text().strip()
    except OSError:
        return ""


def is_zone(name: str) -> bool:
    from zoneinfo import ZoneInfo

    if not name:
        return False
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return False
    return True
