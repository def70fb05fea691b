"""Sign-in with passwords, on or off. If the setting turns it off, a command of the operator allows it for a while."""

from stowboard.access.base.errors import PasswordsOff
from stowboard.access.settings import AccessSettings
from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import Actor

_NAME = "password"


async def are_on(tx: Tx, settings: AccessSettings) -> bool:
    if settings.password_sign_in:
        return True
    sql = "SELECT 1 FROM sign_in_exception WHERE name = $1 AND expires_at > $2"
    return await tx.one(sql, _NAME, clock.now_ms()) is not None


async def check_on(tx: Tx, settings: AccessSettings) -> None:
    """Raises PasswordsOff."""
    if not await are_on(tx, settings):
        raise PasswordsOff


async def allow(tx: Tx, actor: Actor, hours: int) -> int:
    """Let passwords sign people in for some hours, whatever the setting says; returns when that ends."""
    until = clock.now_ms() + hours * 3600 * 1000
    await tx.run(
        "INSERT INTO sign_in_exception (name, expires_at) VALUES ($1, $2)"
        " ON CONFLICT (name) DO UPDATE SET expires_at = $2",
        _NAME, until,
    )  # fmt: skip
    await audit.record(tx, actor, "password.allow", _NAME, data={"hours": hours})
    return until
