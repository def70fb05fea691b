"""Recovery codes: over the API for oneself, and for the page on which one signs in."""

from typing import Annotated

import msgspec

from stowboard.access.accounts.person import get_person_themselves, get_present_person
from stowboard.access.base import account_store, challenges, recovery_codes
from stowboard.access.base.challenges import ChallengePurpose
from stowboard.access.base.errors import AccountRequired, InvalidLogin, StepUpRequired
from stowboard.access.base.session import Device
from stowboard.access.sessions import attempts
from stowboard.access.sessions.door import SessionAnswer, SessionDoor, device_of
from stowboard.access.sessions.session_routes import SessionRoutes
from stowboard.access.sessions.sign_in import WITH_CODE, NewSession, enter
from stowboard.api.endpoint import Call, Endpoint
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.events import audit
from stowboard.events.audit import NOBODY, Actor
from stowboard.http.exchange import Exchange, Route

REFUSED = "This is not one of your recovery codes, or the password was given too long ago. Sign in again."


class RecoveryCodes(msgspec.Struct, frozen=True):
    """New codes; each replaces a passkey once."""

    codes: Annotated[list[str], msgspec.Meta(description="Shown this once.")]


class RecoveryCodesLeft(msgspec.Struct, frozen=True):
    """How many codes are left."""

    left: int


class RecoveryBody(msgspec.Struct, frozen=True):
    code: str


async def renew_my_recovery_codes(tx: Tx, call: Call[None, None]) -> RecoveryCodes:
    """Make ten recovery codes; earlier ones stop working. Needs a fresh proof of identity."""
    person = await get_present_person(tx, call.caller)
    codes = await recovery_codes.renew(tx, call.use(DigestKey), person.account.id)
    await audit.record(tx, person.actor, "recovery_code.renew", person.account.username)
    return RecoveryCodes(codes)


async def count_my_recovery_codes(tx: Tx, call: Call[None, None]) -> RecoveryCodesLeft:
    """Say how many recovery codes are left."""
    return RecoveryCodesLeft(await recovery_codes.count(tx, (await get_person_themselves(tx, call.caller)).account.id))


class RecoveryRoutes:
    def __init__(self, services: Services, door: SessionDoor, sessions: SessionRoutes) -> None:
        self._door, self._sessions = door, sessions
        self._db, self._key = services.use(Database), services.use(DigestKey)

    def routes(self) -> list[Route]:
        return [self._door.route("POST", "/session/recovery", self.enter, RecoveryBody)]

    async def enter(self, exchange: Exchange, body: RecoveryBody) -> SessionAnswer:
        """Sign in with a recovery code, right after the password."""
        secret, replaced = self._door.cookies.challenge_secret(exchange), self._door.cookies.session_secret(exchange)
        device = device_of(exchange)
        pending = await self._db.read(challenges.find, self._key, ChallengePurpose.SECOND, secret)
        name = attempts.name_key(self._key, pending.account_id or "" if pending else "", "second")
        await self._door.count_guess(exchange, name)
        begun = await self._db.transact(_enter, self._key, body.code, secret, device, replaced, name)
        if begun is None:
            raise InvalidLogin(REFUSED)
        return self._sessions.entered(exchange, begun)


async def _enter(
    tx: Tx, key: DigestKey, code: str, secret: str | None, device: Device, replaced: str | None, name: bytes
) -> NewSession | None:
    pending = await challenges.find(tx, key, ChallengePurpose.SECOND, secret)
    account = await account_store.find_enabled(tx, pending.account_id, lock=True) if pending is not None else None
    if account is None or not await recovery_codes.spend(tx, key, account.id, code):
        actor, subject = Actor(NOBODY, address=device.address), account.username if account else "unknown"
        await audit.record(tx, actor, "session.begin", subject, "refused", {"method": WITH_CODE})
        return None
    await challenges.take(tx, key, ChallengePurpose.SECOND, secret)
    await attempts.forgive(tx, name)
    return await enter(tx, key, account, device, WITH_CODE, replaced)


ENDPOINTS = [
    Endpoint(
        "POST", "/access/me/recovery-codes", renew_my_recovery_codes, RecoveryCodes, status=201, secret=True,
        errors=[AccountRequired, StepUpRequired], example={"codes": ["4kx2-9dqt-vv7m"]},
    ),
    Endpoint(
        "GET", "/access/me/recovery-codes", count_my_recovery_codes, RecoveryCodesLeft, errors=[AccountRequired],
        example={"left": 10},
    ),
]  # fmt: skip
