"""What an operator can say about events."""

import msgspec

DAY_MS = 24 * 3600 * 1000
#: Deliveries are tried again for three days, and what is to be sent must still be there.
FEWEST_DAYS = 4


class EventSettings(msgspec.Struct, frozen=True):
    kept_days: int = 30
    #: Of one process.
    streams_per_token: int = 20

    @property
    def kept_ms(self) -> int:
        return self.kept_days * DAY_MS

    def validate(self) -> None:
        if self.kept_days < FEWEST_DAYS:
            raise ValueError(f"STOWBOARD_EVENT_DAYS must be at least {FEWEST_DAYS}.")
