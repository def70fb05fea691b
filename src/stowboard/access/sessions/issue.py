"""Bearers that a page gets for its cookie: for ten minutes, of the kind interactive, ended with the session."""

from stowboard.access import tokens
from stowboard.access.base import session_store
from stowboard.access.base.errors import NotSignedIn, StepUpRequired
from stowboard.access.base.session import Session
from stowboard.access.tokens import NewToken
from stowboard.core import clock
from stowboard.core.caller import TokenKind
from stowboard.core.errors import AdminRequired
from stowboard.core.reach import ALL
from stowboard.core.scopes import MANAGE_SPACES, Scopes
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx

LIFETIME_SECONDS = 600


async def issue_token(
    tx: Tx, key: DigestKey, scopes: Scopes, session: Session, cookie: str, admin: bool, secret: str
) -> tokens.Token:
    """`cookie` is the secret that the session came with.

    Raises NotSignedIn if the session has ended, AdminRequired and StepUpRequired for `admin`.
    """
    signed_in = await session_store.find_and_lock(tx, session.id)
    if signed_in is None:
        raise NotSignedIn
    if admin and not signed_in.account.is_admin:
        raise AdminRequired("Only an admin gets a token with the scope admin.")
    if admin and not signed_in.session.is_stepped_up:
        raise StepUpRequired
    if signed_in.session.is_due_for_touch:
        await session_store.touch(tx, key, signed_in.session, cookie)
    left = (signed_in.session.expires_at - clock.now_ms()) // 1000
    new = NewToken(
        owner=signed_in.account.username,
        scopes=[*scopes.granted(None, admin), MANAGE_SPACES],
        kind=TokenKind.INTERACTIVE,
        name="session",
        expires_in=max(1, min(LIFETIME_SECONDS, left)),
        account_id=signed_in.account.id,
        session_id=session.id,
        spaces=(ALL,),
    )
    return await tokens.create_token(tx, key, new, secret)
