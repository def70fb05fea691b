"""A person's answer to an application: a code that it trades for tokens, or a refusal."""

from collections.abc import Sequence

from stowboard.access.base import session_store
from stowboard.access.base.account import Account
from stowboard.access.base.errors import NotSignedIn, StepUpRequired
from stowboard.access.base.session import PersonSession, SessionId
from stowboard.access.oauth.applications import application_store
from stowboard.access.oauth.applications.redirects import is_proof
from stowboard.access.oauth.asked_scopes import without_admin
from stowboard.access.oauth.grants import code_store, consent_store
from stowboard.access.oauth.grants.code_store import LIFETIME_MS, AuthorizationCode
from stowboard.access.oauth.request import AuthorizationRequest
from stowboard.core import clock
from stowboard.core.errors import AdminRequired, NotFound
from stowboard.core.scopes import ADMIN
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import Actor


def grantable(wanted: AuthorizationRequest, account: Account) -> list[str]:
    """The scopes that were asked for and that this person can grant. Raises OAuthError if none is left."""
    return wanted.scopes if account.is_admin else without_admin(wanted.scopes)


async def is_allowed_already(
    tx: Tx, wanted: AuthorizationRequest, signed_in: PersonSession, scopes: Sequence[str]
) -> bool:
    """True if the person has allowed all of it before and is not asked again.

    They are asked each time for `admin`, and where another program could receive the answer.
    """
    asker = wanted.asker
    if ADMIN in scopes or not is_proof(asker.redirect_uri):
        return False
    consent = await consent_store.find(tx, signed_in.account.id, asker.application.client_id, wanted.door)
    return consent is not None and set(scopes) <= set(consent.scopes)


async def allow(
    tx: Tx,
    key: DigestKey,
    wanted: AuthorizationRequest,
    session_id: SessionId,
    admin: bool,
    address: str,
    asked: bool = True,
) -> str:
    """Make a code. `asked`: the person was asked just now. `admin`: they ticked the scope admin.

    Raises NotSignedIn, AdminRequired, StepUpRequired, and NotFound if the application was removed meanwhile.
    """
    signed_in = await session_store.find_and_lock(tx, session_id)
    if signed_in is None:
        raise NotSignedIn
    application = await application_store.find_and_lock(tx, wanted.asker.application.client_id)
    if application is None:
        raise NotFound("The application was removed meanwhile.")
    account, client_id = signed_in.account, application.client_id
    scopes = grantable(wanted, account)
    if ADMIN in scopes and not admin:
        scopes = without_admin(scopes)
    if admin and not account.is_admin:
        raise AdminRequired("Only an admin gives the scope admin.")
    if ADMIN in scopes and not signed_in.session.is_stepped_up:
        raise StepUpRequired
    if asked:
        lasting = [scope for scope in scopes if scope != ADMIN]
        await consent_store.keep(tx, account.id, client_id, wanted.door, application.name, lasting)
        facts = {"client": client_id, "scopes": scopes, "resource": wanted.door}
        await audit.record(tx, Actor(account.username, address=address), "grant.allow", client_id, data=facts)
    secret = code_store.new_code()
    code = AuthorizationCode(
        key.digest(secret), account.id, signed_in.session.id, client_id, wanted.asker.redirect_uri, wanted.challenge,
        wanted.door, scopes, clock.now_ms() + LIFETIME_MS,
    )  # fmt: skip
    await code_store.insert(tx, code)
    return secret


async def deny(tx: Tx, wanted: AuthorizationRequest, signed_in: PersonSession, address: str) -> None:
    client_id = wanted.asker.application.client_id
    actor = Actor(signed_in.account.username, address=address)
    facts = {"scopes": wanted.scopes, "resource": wanted.door}
    await audit.record(tx, actor, "grant.allow", client_id, "refused", facts)
