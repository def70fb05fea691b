"""Applications as rows."""

from stowboard.access.oauth.applications.application import STOW, ApplicationOrigin, OAuthApplication
from stowboard.access.tokens import ClientId
from stowboard.core import clock
from stowboard.core.cursor import Position
from stowboard.core.errors import NotFound
from stowboard.core.ids import is_id
from stowboard.db.database import Tx
from stowboard.db.scan import RowPage
from stowboard.db.table import Table

_APPLICATIONS = Table("oauth_application", OAuthApplication, in_words=["redirect_uris"])
_DAY_MS = 24 * 3600 * 1000
#: How long an application that registered itself stays if nobody allows it, and after its last use.
UNUSED_MS, IDLE_MS = _DAY_MS, 200 * _DAY_MS


async def insert(tx: Tx, application: OAuthApplication) -> None:
    await _APPLICATIONS.insert(tx, application)


async def find(tx: Tx, client_id: str) -> OAuthApplication | None:
    return STOW if client_id == STOW.client_id else await _find(tx, client_id, "")


async def find_and_lock(tx: Tx, client_id: str) -> OAuthApplication | None:
    """The application, locked: it is not removed before the transaction ends."""
    return STOW if client_id == STOW.client_id else await _find(tx, client_id, " FOR UPDATE")


async def keep_document(tx: Tx, application: OAuthApplication) -> None:
    """Store the latest copy of what its document says. An application that an admin removed stays removed."""
    await tx.run(
        f"INSERT INTO oauth_application ({_APPLICATIONS.names}) VALUES ({_APPLICATIONS.parameters})"
        " ON CONFLICT (id) DO UPDATE SET name = excluded.name, redirect_uris = excluded.redirect_uris,"
        " fresh_until = excluded.fresh_until",
        *_APPLICATIONS.values(application),
    )  # fmt: skip


async def is_removed(tx: Tx, client_id: str) -> bool:
    sql = "SELECT 1 FROM oauth_application WHERE id = $1 AND deleted_at IS NOT NULL"
    return await tx.one(sql, client_id) is not None


async def count_registered(tx: Tx, place: str, since: int) -> int:
    """How many programs have registered themselves from this place."""
    await tx.lock(f"registration {place}")
    sql = "SELECT count(*) FROM oauth_application WHERE registered_from = $1 AND created_at > $2 AND origin = $3"
    row = await tx.one(sql, place, since, ApplicationOrigin.ITSELF)
    return int(row[0]) if row else 0


async def note_use(tx: Tx, client_id: ClientId) -> None:
    await tx.run("UPDATE oauth_application SET used_at = $2 WHERE id = $1", client_id, clock.now_ms())


async def list_applications(tx: Tx, after: Position | None, size: int) -> RowPage[OAuthApplication]:
    """All but the built-in ones, latest ids first."""
    return await _APPLICATIONS.page(tx, after, size, "deleted_at IS NULL")


async def remove(tx: Tx, client_id: str) -> None:
    """Raises NotFound. The row stays, so that the address of a document is not asked again."""
    sql = "UPDATE oauth_application SET deleted_at = $1 WHERE id = $2 AND deleted_at IS NULL"
    possible = is_id("app", client_id) or client_id.startswith("https://")
    if not possible or not await tx.run(sql, clock.now_ms(), client_id):
        raise NotFound


async def forget_unused(tx: Tx, limit: int) -> int:
    """Remove a bounded number of applications that no admin registered and nobody uses."""
    now = clock.now_ms()
    return await tx.run(
        "DELETE FROM oauth_application WHERE id IN (SELECT id FROM oauth_application WHERE origin <> 'admin'"
        " AND deleted_at IS NULL AND COALESCE(used_at, created_at) < $1 AND (used_at IS NULL OR used_at < $2)"
        " ORDER BY COALESCE(used_at, created_at) LIMIT $3)",
        now - UNUSED_MS, now - IDLE_MS, limit,
    )  # fmt: skip


async def _find(tx: Tx, client_id: str, lock: str) -> OAuthApplication | None:
    if len(client_id) > 1000 or "\0" in client_id:
        return None
    return await _APPLICATIONS.find(tx, f"id = $1 AND deleted_at IS NULL{lock}", client_id)
