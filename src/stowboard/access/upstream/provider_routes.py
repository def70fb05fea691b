"""Signing in with a provider, over HTTP: a page asks where to go, and the browser comes back to /signin/callback.

The answer comes as a navigation from another site, with our cookies, since they are Lax. It counts only in the browser
that was sent, once, for ten minutes.
"""

from typing import Any

import msgspec

from stowboard.access.accounts import redeem
from stowboard.access.base.errors import ProviderUnavailable, StepUpRequired
from stowboard.access.base.tickets import TicketPurpose
from stowboard.access.oauth.form_bodies import parse_parameters
from stowboard.access.pages.page import redirect, respond_with_page, safe_next
from stowboard.access.pages.template import fill
from stowboard.access.sessions.door import SessionAnswer, SessionDoor, device_of
from stowboard.access.sessions.session_routes import SessionRoutes
from stowboard.access.upstream import admit, request_store
from stowboard.access.upstream.provider import IdentityProvider
from stowboard.access.upstream.provider_person import ProviderPerson, describe
from stowboard.access.upstream.refusal import ProviderFailed, ProviderRefusal
from stowboard.access.upstream.request_store import ProviderIntent, ProviderRequest
from stowboard.core.errors import RateLimited
from stowboard.core.sealing import Sealing
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, UniqueViolation
from stowboard.http.exchange import Exchange, Headers, Route
from stowboard.http.origin import Origins

CALLBACK = "/signin/callback"
_LONGEST_QUERY = 8000
_ACCEPTED = (TicketPurpose.INVITE, TicketPurpose.SETUP, TicketPurpose.RESET, TicketPurpose.JOIN)
_NOT_ASKED = "This browser did not ask for that, or it did more than ten minutes ago. Sign in again."
_SAID_NO = "The provider did not let you in, or you said no there. Sign in again, or in another way."


class ProviderBody(msgspec.Struct, frozen=True, rename="camel"):
    #: The path to go on to, here.
    next: str | None = None
    #: Sign in again at the provider, even if one is signed in there.
    again: bool = False
    #: Connect the provider to the account that is signed in.
    link: bool = False
    #: The secret of a link of ours to use, and its person's choices.
    ticket: str | None = None
    username: str | None = None
    display_name: str | None = None
    email: str | None = None


class ProviderRoutes:
    def __init__(self, services: Services, door: SessionDoor, sessions: SessionRoutes, origins: Origins) -> None:
        self._door, self._sessions, self._origins = door, sessions, origins
        self._provider, self._desk = services.use(IdentityProvider), redeem.LinkDesk.of(services)
        self._db, self._key, self._sealing = services.use(Database), services.use(DigestKey), services.use(Sealing)

    def routes(self) -> list[Route]:
        if not self._provider.is_set:
            return []
        return [
            self._door.route("POST", "/session/provider", self.begin, ProviderBody),
            Route("GET", CALLBACK, self.come_back, cross_origin=False),
        ]

    async def begin(self, exchange: Exchange, body: ProviderBody) -> SessionAnswer:
        """The provider's address to sign in at; the page goes to `location`."""
        await self._door.count(exchange, "challenge")
        asked, state = await self._asked(exchange, body), request_store.new_secret()
        try:
            location = await self._provider.place_for(state, asked, body.again)
        except ProviderFailed as failure:
            raise ProviderUnavailable(str(failure)) from None
        cookies = self._door.cookies
        browser = cookies.provider_secret(exchange) or request_store.new_secret()
        await self._db.transact(request_store.keep, self._key, self._sealing, state, browser, asked)
        return SessionAnswer({"location": location}, headers=[cookies.keep_provider(exchange, browser)])

    async def come_back(self, exchange: Exchange) -> None:
        """Take the provider's answer. A person who is refused reads why, and what to do."""
        intent = None
        try:
            await self._door.count(exchange)
            given = _given(exchange)
            browser, state = self._door.cookies.provider_secret(exchange) or "", given.get("state", "")
            asked = await self._db.transact(request_store.take, self._key, self._sealing, state, browser)
            if asked is None:
                raise ProviderRefusal("state", _NOT_ASKED)
            intent = asked.intent
            who = await self._who(given, asked)
            headers = await self._let_in(exchange, who, asked)
        except RateLimited as limited:
            self._show_fault(exchange, ProviderRefusal("rate", limited.message, 429), "/signin")
        except ProviderRefusal as refusal:
            await self._db.transact(admit.refuse, intent, refusal, device_of(exchange))
            self._show_fault(exchange, refusal, "/" if intent == ProviderIntent.LINK else "/signin")
        else:
            redirect(exchange, asked.onward, headers)

    async def _asked(self, exchange: Exchange, body: ProviderBody) -> ProviderRequest:
        intent, session_id = ProviderIntent.SIGN_IN, None
        if body.ticket is not None:
            # A link that is no good is refused before anybody is sent to the provider; it is not used up here.
            await redeem.find_offer(self._db, self._desk, body.ticket, exchange.client, _ACCEPTED)
            intent = ProviderIntent.ACCEPT
        elif body.link:
            signed_in = await self._door.get_signed_in(exchange)
            if not signed_in.session.is_stepped_up:
                raise StepUpRequired
            intent, session_id = ProviderIntent.LINK, signed_in.session.id
        return ProviderRequest(
            intent=intent,
            redirect_uri=self._origins.of(exchange) + CALLBACK,
            onward=safe_next(body.next),
            nonce=request_store.new_secret(),
            verifier=request_store.new_secret(),
            session_id=session_id,
            ticket=body.ticket,
            username=(body.username or "").strip() or None,
            display_name=(body.display_name or "").strip() or None,
            email=(body.email or "").strip() or None,
        )

    async def _who(self, given: dict[str, str], asked: ProviderRequest) -> ProviderPerson:
        await self._provider.check_sender(given.get("iss"))
        if "error" in given or not given.get("code"):
            raise ProviderRefusal("said no", _SAID_NO)
        claims: dict[str, Any] = await self._provider.claims(given["code"], asked)
        return describe(self._provider.issuer, claims, self._provider.settings.admin_claim)

    async def _let_in(self, exchange: Exchange, who: ProviderPerson, asked: ProviderRequest) -> Headers:
        device = device_of(exchange)
        if asked.intent == ProviderIntent.LINK:
            signed_in = await self._door.find_signed_in(exchange)
            session_id = signed_in.session.id if signed_in is not None else None
            await self._db.transact(admit.link_to_session, who, asked, session_id, device)
            return []
        earlier = self._door.cookies.session_secret(exchange)
        try:
            begun = await self._db.transact(admit.admit, self._desk, who, asked, device, earlier)
        except UniqueViolation:
            raise ProviderRefusal(
                "at once", "Somebody came in by that name at this very moment. Sign in again."
            ) from None
        return self._sessions.entered(exchange, begun).headers

    def _show_fault(self, exchange: Exchange, refusal: ProviderRefusal, back: str) -> None:
        page = fill("provider/fault.html", text=str(refusal), back=back)
        respond_with_page(exchange, self._origins, "Sign-in failed", page, refusal.status)


def _given(exchange: Exchange) -> dict[str, str]:
    """The parameters of the answer. Raises ProviderRefusal if they cannot be read, or one is there twice."""
    query = exchange.query
    given = parse_parameters(query.encode()) if len(query) <= _LONGEST_QUERY and query.isascii() else None
    if given is None:
        raise ProviderRefusal("query", _NOT_ASKED)
    return given
