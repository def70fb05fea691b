"""The operator's settings for what is kept after a change."""

from typing import Annotated

import msgspec

from stowboard.core.settings.declared import Setting
from stowboard.core.settings.values import between

_DAY_MS = 24 * 3600 * 1000


class HistorySettings(msgspec.Struct, frozen=True):
    trash_days: Annotated[int, Setting("trash_days", between(1, 3660))] = 30
    history_days: Annotated[int, Setting("history_days", between(1, 3660))] = 90

    @property
    def trash_ms(self) -> int:
        return self.trash_days * _DAY_MS

    @property
    def history_ms(self) -> int:
        return self.history_days * _DAY_MS
