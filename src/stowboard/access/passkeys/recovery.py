"""Recovery codes: made by their person, and given after the password instead of a passkey."""

from stowboard.access.accounts.person import Person
from stowboard.access.base import account_store, challenges, recovery_codes
from stowboard.access.base.challenges import ChallengePurpose
from stowboard.access.base.errors import InvalidLogin
from stowboard.access.base.session import Device
from stowboard.access.sessions import attempts
from stowboard.access.sessions.sign_in import WITH_CODE, NewSession, enter
from stowboard.access.settings import AccessSettings
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.events import audit
from stowboard.events.audit import NOBODY, Actor

REFUSED = "This is not one of your recovery codes, or the password was given too long ago. Sign in again."


async def renew_codes(tx: Tx, key: DigestKey, person: Person) -> list[str]:
    """Fresh recovery codes, shown this once."""
    codes = await recovery_codes.renew(tx, key, person.account.id)
    await audit.record(tx, person.actor, "recovery_code.renew", person.account.username)
    return codes


class RecoverySignIn:
    def __init__(self, services: Services) -> None:
        self._db, self._key = services.use(Database), services.use(DigestKey)
        self._settings = services.use(AccessSettings)

    async def enter(self, code: str, secret: str | None, device: Device, replaced: str | None) -> NewSession:
        """`secret` is that of a browser whose person has just given the password. Raises InvalidLogin, RateLimited."""
        pending = await self._db.read(challenges.find, self._key, ChallengePurpose.SECOND, secret)
        name = attempts.name_key(self._key, pending.account_id or "" if pending else "", "second")
        address = attempts.address_key(self._key, device.address)
        await self._db.transact(attempts.count_attempt, self._settings, address, name)
        begun = await self._db.transact(_enter, self._key, code, secret, device, replaced, name)
        if begun is None:
            raise InvalidLogin(REFUSED)
        return begun


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
