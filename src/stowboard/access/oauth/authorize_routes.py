"""/oauth/authorize: an application sends a person here, who allows or denies and is sent back.

The page sends the answer by script and then goes to the address in the reply: our content security policy would stop a
form, since browsers apply it to the redirect after the form as well.
"""

from collections.abc import Sequence

import msgspec

from stowboard.access.base import session_store
from stowboard.access.base.account import Account
from stowboard.access.base.errors import NotSignedIn, StepUpRequired
from stowboard.access.base.session import PersonSession, SessionId
from stowboard.access.oauth.applications import application_store
from stowboard.access.oauth.applications.application import is_document_address
from stowboard.access.oauth.applications.client_documents import ClientDocuments
from stowboard.access.oauth.applications.redirects import is_proof
from stowboard.access.oauth.chosen_spaces import choices, reached_by
from stowboard.access.oauth.consent_page import consent
from stowboard.access.oauth.errors import OAuthError, UntrustedRequest
from stowboard.access.oauth.form_bodies import parse_parameters
from stowboard.access.oauth.form_routes import FormDoor
from stowboard.access.oauth.grants import code_store, consent_store
from stowboard.access.oauth.grants.code_store import LIFETIME_MS, AuthorizationCode
from stowboard.access.oauth.refused import RefusedRequests
from stowboard.access.oauth.request import (
    AuthorizationRequest,
    RequestingApplication,
    read_asker,
    read_wanted,
    without_admin,
)
from stowboard.access.owners import Owners
from stowboard.access.pages.page import redirect, respond_with_page
from stowboard.access.pages.routes import sign_in_address
from stowboard.access.pages.template import fill
from stowboard.access.sessions.door import SessionAnswer, SessionDoor
from stowboard.core import clock
from stowboard.core.errors import AdminRequired, NotFound, ValidationFailed
from stowboard.core.scopes import ADMIN, Scopes
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.events import audit
from stowboard.events.audit import Actor
from stowboard.http.exchange import Exchange, Route
from stowboard.http.origin import Origins

PATH = "/oauth/authorize"
_LONGEST_QUERY = 8000


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
    owners: Owners,
    key: DigestKey,
    wanted: AuthorizationRequest,
    session_id: SessionId,
    admin: bool,
    spaces: list[str],
    address: str,
    asked: bool = True,
) -> str:
    """Make a code. `asked`: the person was asked just now. `admin`: they ticked the scope admin.
    `spaces`: the shared spaces that they ticked.

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
        reached = await reached_by(tx, application, account, spaces)
        await consent_store.keep(tx, owners, account.id, client_id, wanted.door, application.name, lasting, reached)
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


class DecisionBody(msgspec.Struct, frozen=True):
    #: The query that the page was opened with.
    query: str
    allow: bool
    #: True if the person ticked the scope admin.
    admin: bool = False
    #: Ids of the shared spaces that the person ticked.
    spaces: list[str] = []


class AuthorizeRoutes:
    def __init__(
        self, services: Services, origins: Origins, door: SessionDoor, forms: FormDoor, refused: RefusedRequests
    ) -> None:
        self._db, self._key, self._scopes = services.use(Database), services.use(DigestKey), services.use(Scopes)
        self._origins, self._door, self._forms, self._refused = origins, door, forms, refused
        self._documents, self._owners = services.use(ClientDocuments), services.use(Owners)

    def routes(self) -> list[Route]:
        return [
            Route("GET", PATH, self.ask, cross_origin=False),
            self._door.route("POST", "/oauth/decision", self.decide, DecisionBody),
        ]

    async def ask(self, exchange: Exchange) -> None:
        """Show the request. A person who has allowed all of it before is sent on at once."""
        try:
            await self._forms.check_rate(exchange)
        except OAuthError as error:
            self._show_fault(exchange, error.description, error.status)
            return
        given = _given(exchange.query)
        client_id = (given or {}).get("client_id", "")
        signed_in = await self._door.find_signed_in(exchange)
        if signed_in is None and is_document_address(client_id):
            redirect(
                exchange, sign_in_address(f"{PATH}?{exchange.query}")
            )  # documents are fetched only for a person who is signed in
            return
        try:
            asker = await self._asker(exchange, given, signed_in)
        except UntrustedRequest as fault:
            await self._refused.note("oauth.authorize", client_id, "untrusted", exchange.client)
            self._show_fault(exchange, str(fault), 400)
            return
        assert given is not None
        await self._answer(exchange, given, asker, signed_in)

    async def decide(self, exchange: Exchange, body: DecisionBody) -> SessionAnswer:
        """Take the person's answer; the page then goes to `location`. Everything is checked again."""
        signed_in = await self._door.get_signed_in(exchange)
        given = _given(body.query)
        try:
            asker = await self._asker(exchange, given, signed_in)
        except UntrustedRequest as fault:
            raise ValidationFailed(str(fault)) from None
        assert given is not None
        try:
            wanted = read_wanted(given, asker, self._scopes)
            if not body.allow:
                await self._db.transact(deny, wanted, signed_in, exchange.client)
                return SessionAnswer({"location": asker.refuse("access_denied", "The person said no.")})
            return SessionAnswer({"location": await self._code(wanted, signed_in, body, exchange)})
        except OAuthError as error:
            return SessionAnswer({"location": asker.refuse(error.error, error.description)})

    async def _answer(
        self, exchange: Exchange, given: dict[str, str], asker: RequestingApplication, signed_in: PersonSession | None
    ) -> None:
        try:
            wanted = read_wanted(given, asker, self._scopes)
            if signed_in is None:
                redirect(exchange, sign_in_address(f"{PATH}?{exchange.query}"))
                return
            scopes = grantable(wanted, signed_in.account)
            if await self._db.read(is_allowed_already, wanted, signed_in, scopes):
                redirect(exchange, await self._code(wanted, signed_in, None, exchange))
                return
        except OAuthError as error:
            client_id = asker.application.client_id
            await self._refused.note("oauth.authorize", client_id, error.error, exchange.client)
            redirect(exchange, asker.refuse(error.error, error.description))
            return
        reached, spaces = await self._db.read(choices, asker.application, signed_in.account)
        page = consent(wanted, signed_in.account, scopes, self._scopes, reached, spaces, exchange.query)
        respond_with_page(exchange, self._origins, f"Allow {asker.application.name}?", page)

    async def _code(
        self, wanted: AuthorizationRequest, signed_in: PersonSession, body: DecisionBody | None, exchange: Exchange
    ) -> str:
        """The address of the application, with a new code. `body` is None if the person was not asked."""
        admin, spaces = (body.admin, body.spaces) if body is not None else (False, [])
        session_id, asked = signed_in.session.id, body is not None
        code = await self._db.transact(
            allow, self._owners, self._key, wanted, session_id, admin, spaces, exchange.client, asked
        )  # fmt: skip
        return wanted.asker.answer(code=code)

    async def _asker(
        self, exchange: Exchange, given: dict[str, str] | None, signed_in: PersonSession | None
    ) -> RequestingApplication:
        """Raises UntrustedRequest."""
        if given is None:
            raise UntrustedRequest("The address of this page cannot be read: a part of it is damaged, or there twice.")
        client_id, application = given.get("client_id", ""), None
        if signed_in is not None and is_document_address(client_id):
            application = await self._documents.get(client_id, signed_in.account.id)
        else:
            application = await self._db.read(application_store.find, client_id)
        return read_asker(given, application, self._origins.of(exchange))

    def _show_fault(self, exchange: Exchange, text: str, status: int) -> None:
        respond_with_page(exchange, self._origins, "Request not valid", fill("oauth_fault.html", text=text), status)


def _given(query: str) -> dict[str, str] | None:
    if len(query) > _LONGEST_QUERY or not query.isascii():
        return None
    named = parse_parameters(query.encode())
    return None if named is None else {name: value for name, value in named.items() if value}
