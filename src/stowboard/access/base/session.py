"""A browser in which somebody is signed in."""

from typing import NewType

import msgspec

from stowboard.access.base.account import Account, AccountId
from stowboard.core import clock

SessionId = NewType("SessionId", str)
_DAY_MS = 24 * 3600 * 1000
IDLE_MS = 30 * _DAY_MS
ABSOLUTE_MS = 90 * _DAY_MS
#: How long a proof counts as fresh.
STEP_UP_MS = 10 * 60 * 1000
#: A use is written at most this often.
TOUCH_MS = 60 * 1000


class Session(msgspec.Struct, frozen=True):
    id: SessionId
    account_id: AccountId
    #: The way of signing in: password, link, passkey, …
    method: str
    address: str
    user_agent: str
    created_at: int
    seen_at: int
    stepped_up_at: int
    expires_at: int

    @property
    def is_stepped_up(self) -> bool:
        return clock.now_ms() - self.stepped_up_at < STEP_UP_MS

    @property
    def is_due_for_touch(self) -> bool:
        return clock.now_ms() - self.seen_at >= TOUCH_MS


class PersonSession(msgspec.Struct, frozen=True):
    """A session and its account."""

    session: Session
    account: Account


class Device(msgspec.Struct, frozen=True):
    """The address and user agent of a browser."""

    address: str
    user_agent: str
