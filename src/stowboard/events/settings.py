"""The operator's settings for events."""

from typing import Annotated

import msgspec

from stowboard.core.settings.declared import Setting
from stowboard.core.settings.values import between

DAY_MS = 24 * 3600 * 1000
#: Deliveries are retried for three days, and their events must still be there.
FEWEST_DAYS = 4


class EventSettings(msgspec.Struct, frozen=True):
    kept_days: Annotated[int, Setting("event_days", between(FEWEST_DAYS, 3660))] = 30
    streams_per_token: Annotated[int, Setting("streams_per_token", between(1, 2048))] = 20

    @property
    def kept_ms(self) -> int:
        return self.kept_days * DAY_MS

    def validate(self) -> None:
        if self.kept_days < FEWEST_DAYS:
            raise ValueError(f"STOWBOARD_EVENT_DAYS must be at least {FEWEST_DAYS}.")
