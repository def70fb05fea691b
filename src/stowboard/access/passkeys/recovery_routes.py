"""Recovery codes: over the API for oneself, and for the page on which one signs in."""

from typing import Annotated

import msgspec

from stowboard.access.accounts.person import get_person_themselves, get_present_person
from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.base import recovery_codes
from stowboard.access.base.errors import AccountRequired, StepUpRequired
from stowboard.access.passkeys.recovery import RecoverySignIn, renew_codes
from stowboard.access.sessions.door import SessionAnswer, SessionDoor, device_of
from stowboard.access.sessions.session_routes import SessionRoutes
from stowboard.api.endpoint import Call, Endpoint
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.http.exchange import Exchange, Route


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
    return RecoveryCodes(await renew_codes(tx, call.use(DigestKey), person))


async def count_my_recovery_codes(tx: Tx, call: Call[None, None]) -> RecoveryCodesLeft:
    """Say how many recovery codes are left."""
    return RecoveryCodesLeft(await recovery_codes.count(tx, (await get_person_themselves(tx, call.caller)).account.id))


class RecoveryRoutes:
    def __init__(self, services: Services, door: SessionDoor, sessions: SessionRoutes) -> None:
        self._door, self._sessions = door, sessions
        self._sign_in, self._authenticator = RecoverySignIn(services), services.use(TokenAuthenticator)

    def routes(self) -> list[Route]:
        return [self._door.route("POST", "/session/recovery", self.enter, RecoveryBody)]

    async def enter(self, exchange: Exchange, body: RecoveryBody) -> SessionAnswer:
        """Sign in with a recovery code, right after the password."""
        cookies = self._door.cookies
        begun = await self._sign_in.enter(
            body.code, cookies.challenge_secret(exchange), device_of(exchange), cookies.session_secret(exchange)
        )
        self._authenticator.forget()
        return self._sessions.entered(exchange, begun)


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
