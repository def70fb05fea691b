"""Sessions as rows. The cookie's secret is stored as a digest. Ending a session revokes its tokens."""

from stowboard.access import tokens
from stowboard.access.base import account_store
from stowboard.access.base.account import Account, AccountId
from stowboard.access.base.session import ABSOLUTE_MS, IDLE_MS, Device, PersonSession, Session, SessionId
from stowboard.access.tokens import is_possible, make_secret
from stowboard.core import clock
from stowboard.core.errors import NotFound
from stowboard.core.ids import is_id, new_id
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.db.table import Table, forget_old

_SESSIONS = Table("session", Session)
_LIVE = "ended_at IS NULL AND expires_at > $1 AND seen_at > $2"


async def begin(
    tx: Tx, key: DigestKey, account: Account, device: Device, method: str, proven_at: int | None = None
) -> tuple[Session, str]:
    """A session for somebody who has proven who they are, now or at `proven_at`, and the secret for its cookie."""
    now, secret = clock.now_ms(), make_secret("stows_")
    session = Session(
        SessionId(new_id("ses")), account.id, method, device.address, device.user_agent, now, now,
        now if proven_at is None else proven_at, now + ABSOLUTE_MS,
    )  # fmt: skip
    await _SESSIONS.insert(tx, session, digest=key.digest(secret))
    await account_store.set_seen(tx, account.id, now)
    return session, secret


async def find(tx: Tx, key: DigestKey, secret: str) -> PersonSession | None:
    """The live session of this secret with its account; None if the account is disabled or gone."""
    return await _find_live(tx, "digest IN ($3, $4)", *key.digests(secret)) if is_possible(secret) else None


async def find_by_id(tx: Tx, session_id: str) -> PersonSession | None:
    return await _find_live(tx, "id = $3", session_id)


async def find_and_lock(tx: Tx, session_id: SessionId) -> PersonSession | None:
    """The live session, locked: it cannot end before this transaction does, so what it is given now ends with it."""
    return await _find_live(tx, "id = $3", session_id, lock=" FOR UPDATE")


async def list_of(tx: Tx, account_id: AccountId) -> list[Session]:
    """The live sessions of a person, newest first."""
    condition = f"account_id = $3 AND {_LIVE} ORDER BY id DESC LIMIT 100"
    return await _SESSIONS.find_all(tx, condition, *_now(), account_id)


async def touch(tx: Tx, key: DigestKey, session: Session, secret: str) -> None:
    """Note that it was used just now, and store its secret's digest by today's key."""
    now = clock.now_ms()
    sql = "UPDATE session SET seen_at = $2, digest = $3 WHERE id = $1"
    await tx.run(sql, session.id, now, key.digest(secret))
    await account_store.set_seen(tx, session.account_id, now)


async def step_up(tx: Tx, key: DigestKey, session: Session) -> str:
    """Note that its person has just proven again who they are; its cookie gets a new secret."""
    secret = make_secret("stows_")
    await tx.run(
        "UPDATE session SET digest = $2, stepped_up_at = $3, seen_at = $3 WHERE id = $1",
        session.id, key.digest(secret), clock.now_ms(),
    )  # fmt: skip
    return secret


async def end(tx: Tx, account_id: AccountId, session_id: str) -> None:
    """Raises NotFound if the person has no such live session."""
    sql = "UPDATE session SET ended_at = $1 WHERE id = $2 AND account_id = $3 AND ended_at IS NULL"
    if not is_id("ses", session_id) or not await tx.run(sql, clock.now_ms(), session_id, account_id):
        raise NotFound
    await tokens.revoke(tx, "session_id = $2", session_id)


async def end_all(tx: Tx, account_id: AccountId, but: str = "") -> int:
    """End the person's sessions, all or all but one, with their tokens; returns how many."""
    sql = "UPDATE session SET ended_at = $1 WHERE account_id = $2 AND ended_at IS NULL AND id <> $3"
    ended = await tx.run(sql, clock.now_ms(), account_id, but)
    await tokens.revoke(tx, "account_id = $2 AND session_id IS NOT NULL AND session_id <> $3", account_id, but)
    return ended


forget_sessions = forget_old("session", kept_ms=7 * 24 * 3600 * 1000)


def _now() -> tuple[int, int]:
    """The bounds of `_LIVE`."""
    now = clock.now_ms()
    return now, now - IDLE_MS


async def _find_live(tx: Tx, condition: str, *args: str | bytes, lock: str = "") -> PersonSession | None:
    session = await _SESSIONS.find(tx, f"{condition} AND {_LIVE}{lock}", *_now(), *args)
    if session is None:
        return None
    account = await account_store.find_enabled(tx, session.account_id)
    return None if account is None else PersonSession(session, account)
