"""Links that work once, over HTTP: look at one, use it, ask for a reset link."""

from typing import Any

import msgspec

from stowboard.access.accounts import emails, redeem
from stowboard.access.accounts.password_sign_in import check_on
from stowboard.access.accounts.passwords import Passwords, check_password
from stowboard.access.accounts.redeem import AccountChoice, LinkDesk, TicketOffer, find_offer
from stowboard.access.accounts.reset import mail_reset_later
from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.base.session import Device
from stowboard.access.base.tickets import TicketPurpose
from stowboard.access.sessions import attempts, sign_in
from stowboard.access.sessions.door import SessionAnswer, SessionDoor, device_of
from stowboard.access.sessions.session_routes import SessionRoutes
from stowboard.access.sessions.sign_in import NewSession
from stowboard.access.settings import AccessSettings
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.http.exchange import Exchange, Route

LINK = "link"


class TicketBody(msgspec.Struct, frozen=True):
    ticket: str


class RedeemBody(msgspec.Struct, frozen=True, rename="camel"):
    ticket: str
    password: str
    username: str | None = None
    display_name: str | None = None
    email: str | None = None
    #: With a new password: end the person's tokens and applications too.
    end_access: bool = False


class ResetBody(msgspec.Struct, frozen=True):
    #: The username, or the address.
    login: str


class TicketRoutes:
    def __init__(self, services: Services, door: SessionDoor, sessions: SessionRoutes) -> None:
        self._door, self._sessions = door, sessions
        self._db, self._key = services.use(Database), services.use(DigestKey)
        self._passwords, self._desk = services.use(Passwords), LinkDesk.of(services)
        self._settings, self._authenticator = services.use(AccessSettings), services.use(TokenAuthenticator)

    def routes(self) -> list[Route]:
        route = self._door.route
        return [
            route("POST", "/session/ticket", self.look, TicketBody),
            route("POST", "/session/redeem", self.redeem, RedeemBody),
            route("POST", "/session/link", self.enter, TicketBody),
            route("POST", "/session/email", self.confirm_email, TicketBody),
            route("POST", "/session/reset", self.ask_for_reset, ResetBody),
        ]

    async def look(self, exchange: Exchange, body: TicketBody) -> SessionAnswer:
        """Describe a link: its purpose and how long it works. It is not used up by this."""
        await self._door.count(exchange)
        signed_in = await self._door.find_signed_in(exchange)
        offer = await self._offer(exchange, body.ticket, signed_in.account.username if signed_in else None)
        ticket, space = offer.ticket, offer.space
        shown: dict[str, Any] = {"purpose": ticket.purpose, "username": offer.username, "role": ticket.role}
        shown |= {"email": ticket.email, "expiresAt": ticket.expires_at}
        if space is not None:
            shown |= {"role": space.role, "spaceId": space.space_id, "space": space.space, "joined": space.joined}
            shown |= {"invitedBy": space.invited_by, "makesAccounts": space.makes_accounts}
        return SessionAnswer(shown)

    async def redeem(self, exchange: Exchange, body: RedeemBody) -> SessionAnswer:
        """Use a link. A set-up link or an invitation signs the person in; a reset link does not."""
        await self._door.count(exchange)
        offer = await self._offer(exchange, body.ticket)
        await self._db.read(check_on, self._settings)
        await check_password(body.password, redeem.name_for(offer, body.username))
        kept = await self._passwords.keep(body.password)
        chosen = AccountChoice(
            body.username, (body.display_name or "").strip(), body.email or None, kept, end_access=body.end_access
        )
        earlier = self._door.cookies.session_secret(exchange)
        begun = await self._db.transact(_redeem, self._desk, body.ticket, chosen, device_of(exchange), earlier)
        if begun is None:
            self._authenticator.forget()
            return SessionAnswer({"username": offer.username, "signedIn": False})
        return self._sessions.entered(exchange, begun)

    async def enter(self, exchange: Exchange, body: TicketBody) -> SessionAnswer:
        """Sign in by a link of the operator's."""
        await self._door.count(exchange)
        await self._offer(exchange, body.ticket)
        earlier = self._door.cookies.session_secret(exchange)
        begun = await self._db.transact(_enter, self._key, body.ticket, device_of(exchange), earlier)
        return self._sessions.entered(exchange, begun)

    async def confirm_email(self, exchange: Exchange, body: TicketBody) -> SessionAnswer:
        """Confirm the address that a link was mailed to. Nobody needs to be signed in."""
        await self._door.count(exchange)
        await self._offer(exchange, body.ticket)
        account = await self._db.transact(emails.confirm_email, self._key, body.ticket, exchange.client)
        return SessionAnswer({"username": account.username, "email": account.email})

    async def ask_for_reset(self, exchange: Exchange, body: ResetBody) -> SessionAnswer:
        """Have a link mailed. The answer is the same whether or not there is such an account; so is the time."""
        login = body.login.strip().lower()
        await self._db.transact(_ask_for_reset, self._settings, self._key, exchange.client, login)
        text = "If there is such an account with a confirmed address, and mail is set up here, a link is on its way."
        return SessionAnswer({"message": text}, status=202)

    async def _offer(self, exchange: Exchange, secret: str, username: str | None = None) -> TicketOffer:
        return await find_offer(self._db, self._desk, secret, exchange.client, username=username)


async def _redeem(
    tx: Tx, desk: LinkDesk, secret: str, chosen: AccountChoice, device: Device, earlier: str | None
) -> NewSession | None:
    """None after a reset link: the person signs in with the new password, perhaps with a second factor."""
    offer = await redeem.look_at(tx, desk, secret)
    account = await redeem.redeem(tx, desk, secret, chosen, device.address)
    if offer.ticket.purpose == TicketPurpose.RESET:
        await desk.letters.tell_of_change_later(tx, account)
        return None
    return await sign_in.enter(tx, desk.key, account, device, LINK, earlier)


async def _enter(tx: Tx, key: DigestKey, secret: str, device: Device, earlier: str | None) -> NewSession:
    account = await redeem.sign_in_by(tx, key, secret)
    return await sign_in.enter(tx, key, account, device, LINK, earlier)


async def _ask_for_reset(tx: Tx, settings: AccessSettings, key: DigestKey, address: str, login: str) -> None:
    name = attempts.name_key(key, login, "reset")
    await attempts.count_attempt(tx, settings, attempts.address_key(key, address), name)
    await mail_reset_later(tx, login)
