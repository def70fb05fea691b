"""Dates and times as other programs write them. What cannot be a date of a task is None."""

from datetime import UTC, datetime

from stowboard.core.clock import LATEST_MS
from stowboard.core.time_zones import WrongTimeZone, instant_of, milliseconds, zone_of


def instant(text: object) -> int | None:
    """The moment of an ISO 8601 time, in UTC if it has no offset. The year 1 is "no date" in programs written in Go."""
    try:
        moment = datetime.fromisoformat(str(text))
        return _of_a_task(
            milliseconds((moment if moment.tzinfo is None else moment.astimezone(UTC)).replace(tzinfo=None))
        )
    except (ValueError, OverflowError):
        return None


def instant_there(wall: datetime, zone: str) -> int | None:
    """The moment at which a clock on the wall of the zone shows this time."""
    try:
        return _of_a_task(instant_of(zone_of(zone), wall))
    except OverflowError:
        return None


def known_zone(name: str) -> str | None:
    """The name if it is that of an IANA time zone."""
    try:
        zone_of(name)
    except WrongTimeZone:
        return None
    return name


def _of_a_task(moment: int) -> int | None:
    return moment if 0 <= moment <= LATEST_MS else None
