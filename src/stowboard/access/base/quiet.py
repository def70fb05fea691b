"""When a person is left alone, and when they want a digest: times of the clock on their wall."""

from datetime import datetime, time, timedelta
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from stowboard.core.errors import ValidationFailed
from stowboard.core.time_zones import instant_of, wall_of, zone_of
from stowboard.core.wording import EXPECTED, TEXT_END

ClockTime = Annotated[
    str,
    Meta(max_length=5, pattern=f"^([01][0-9]|2[0-3]):[0-5][0-9]{TEXT_END}", extra={EXPECTED: "a time such as 07:30"}),
]
WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class QuietHours(msgspec.Struct, frozen=True, rename="camel"):
    """From one time of the day to another, over midnight if `to` is the earlier one."""

    from_: ClockTime = msgspec.field(name="from")
    to: ClockTime
    time_zone: Annotated[
        str,
        Meta(
            max_length=64, description="An IANA name, such as Europe/Berlin.",
            extra_json_schema={"format": "iana-time-zone"},
        ),
    ]  # fmt: skip

    def validate(self) -> None:
        """Raises ValidationFailed, or WrongTimeZone."""
        zone_of(self.time_zone)
        if self.from_ == self.to:
            raise ValidationFailed("quietHours: from and to are the same. Send null for no quiet hours.")

    def end_after(self, now: int) -> int | None:
        """The end of the quiet hours, if this moment lies in them; else None."""
        zone = zone_of(self.time_zone)
        wall, start, end = wall_of(zone, now), time.fromisoformat(self.from_), time.fromisoformat(self.to)
        at = wall.time()
        if not (start <= at < end if start < end else at >= start or at < end):
            return None
        return instant_of(zone, datetime.combine(wall.date() + timedelta(days=int(at >= end)), end))


class DigestTimes(msgspec.Struct, frozen=True):
    """When a digest is mailed."""

    at: ClockTime
    days: Annotated[list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]], Meta(min_length=1, max_length=7)]

    def next_after(self, now: int, time_zone: str) -> int:
        zone = zone_of(time_zone)
        today, at = wall_of(zone, now).date(), time.fromisoformat(self.at)
        days = [today + timedelta(days=number) for number in range(9)]
        times = [instant_of(zone, datetime.combine(day, at)) for day in days if WEEK[day.weekday()] in self.days]
        return next(instant for instant in times if instant > now)
