"""Sessions as rows. The cookie's secret is stored as a digest. Ending a session revokes its tokens."""

from stowboard.access.base import account_store
from stowboard.access.base.account import Account, AccountId
from stowboard.access.base.session import ABSOLUTE_MS, IDLE_MS, Device, PersonSession, Session, SessionId
from stowboard.access.tokens import make_secret
from stowboard.core import clock
from stowboard.core.errors import NotFound
from stowboard.core.ids import is_id, new_id
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.db.rows import Columns

_COLUMNS = Columns(Session)
_SELECT = f"SELECT {_COLUMNS.names} FROM session WHERE"
_LIVE = "ended_at IS NULL AND expires_at > $1 AND seen_at > $2"
_LONGEST_SECRET = 200
_KEPT_MS = 7 * 24 * 3600 * 1000


async def begin(
    tx: Tx, key: DigestKey, account: Account, device: Device, method: str, proven_at: int | None = None
) -> tuple[Session, str]:
    """A session for somebody who has proven who they are, now or at `proven_at`, and the secret for its cookie."""
    now, secret = clock.now_ms(), make_secret("stows_")
    session = Session(
        SessionId(new_id("ses")), account.id, method, device.address, device.user_agent, now, now,
        now if proven_at is None else proven_at, now + ABSOLUTE_MS,
    )  # fmt: skip
    await tx.run(
        f"INSERT INTO session ({_COLUMNS.names}, digest) VALUES ({_COLUMNS.parameters}, $10)",
        *_COLUMNS.values(session), key.digest(secret),
    )  # fmt: skip
    await account_store.set_seen(tx, account.id, now)
    return session, secret


async def find(tx: Tx, key: DigestKey, secret: str) -> PersonSession | None:
    """The live session of this secret with its account; None if the account is disabled or gone."""
    if len(secret) > _LONGEST_SECRET or not secret.isascii():
        return None
    row = await tx.one(f"{_SELECT} digest IN ($3, $4) AND {_LIVE}", *_now(), *key.digests(secret))
    return await _signed_in(tx, _COLUMNS.read(row)) if row else None


async def find_by_id(tx: Tx, session_id: str) -> PersonSession | None:
    row = await tx.one(f"{_SELECT} id = $3 AND {_LIVE}", *_now(), session_id)
    return await _signed_in(tx, _COLUMNS.read(row)) if row else None


async def find_and_lock(tx: Tx, session_id: SessionId) -> PersonSession | None:
    """The live session, locked: it cannot end before this transaction does, so what it is given now ends with it."""
    row = await tx.one(f"{_SELECT} id = $3 AND {_LIVE} FOR UPDATE", *_now(), session_id)
    return await _signed_in(tx, _COLUMNS.read(row)) if row else None


async def list_of(tx: Tx, account_id: AccountId) -> list[Session]:
    """The live sessions of a person, newest first."""
    sql = f"{_SELECT} account_id = $3 AND {_LIVE} ORDER BY id DESC LIMIT 100"
    return _COLUMNS.read_all(await tx.all(sql, *_now(), account_id))


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
    await tx.run(
        "UPDATE access_token SET revoked_at = $1 WHERE session_id = $2 AND revoked_at IS NULL",
        clock.now_ms(), session_id,
    )  # fmt: skip


async def end_all(tx: Tx, account_id: AccountId, but: str = "") -> int:
    """End the person's sessions, all or all but one, with their tokens; returns how many."""
    now = clock.now_ms()
    sql = "UPDATE session SET ended_at = $1 WHERE account_id = $2 AND ended_at IS NULL AND id <> $3"
    ended = await tx.run(sql, now, account_id, but)
    await tx.run(
        "UPDATE access_token SET revoked_at = $1 WHERE account_id = $2 AND session_id IS NOT NULL AND session_id <> $3"
        " AND revoked_at IS NULL",
        now, account_id, but,
    )  # fmt: skip
    return ended


async def forget_sessions(tx: Tx, limit: int) -> int:
    """Remove those whose last moment was a week ago, a bounded number of them."""
    sql = "DELETE FROM session WHERE id IN (SELECT id FROM session WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)"
    return await tx.run(sql, clock.now_ms() - _KEPT_MS, limit)


def _now() -> tuple[int, int]:
    """The bounds of `_LIVE`."""
    now = clock.now_ms()
    return now, now - IDLE_MS


async def _signed_in(tx: Tx, session: Session) -> PersonSession | None:
    try:
        account = await account_store.get(tx, session.account_id)
    except NotFound:
        return None
    return None if account.disabled else PersonSession(session, account)
