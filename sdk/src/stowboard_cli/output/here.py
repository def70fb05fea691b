"""The time zone of this machine, by its IANA name."""

import os
from pathlib import Path

_LOCALTIME = Path("/etc/localtime")
_NAMED = Path("/etc/timezone")


def time_zone() -> str | None:
    """`$TZ` if it is a name, otherwise the system's. None if the system has no IANA name for it, as on Windows."""
    given = os.environ.get("TZ", "").lstrip(":")
    return next((name for name in (given, _linked(), _written()) if is_zone(name)), None)


def _linked() -> str:
    """Linux and macOS link to a file below a folder `zoneinfo`."""
    try:
        return _LOCALTIME.resolve(strict=True).as_posix().partition("zoneinfo/")[2]
    except OSError:
        return ""


def _written() -> str:
    try:
        return _NAMED.read_text(encoding="utf-8").strip()
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
