"""Sessions over HTTP, for the pages of this service and its console: sign in, trade the cookie for a bearer, sign out.

All of it is same-origin (see door.py). The API itself knows no cookies. Attempts with a password are counted, cost the
same work for every name, and are audited.
"""

import msgspec

from stowboard import __version__
from stowboard.access import tokens
from stowboard.access.accounts.password_sign_in import check_on
from stowboard.access.accounts.passwords import Passwords, is_outdated
from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.base import account_store, session_store
from stowboard.access.base.account import Account, typed_username
from stowboard.access.base.errors import InvalidLogin, NotSignedIn, SecondFactorRequired, StepUpRequired
from stowboard.access.base.session import PersonSession, Session
from stowboard.access.base.wire import AccountView, SessionView, show_account, show_session
from stowboard.access.sessions import attempts
from stowboard.access.sessions.door import SessionAnswer, SessionDoor, device_of
from stowboard.access.sessions.sign_in import (
    NewSession,
    PendingSignIn,
    begin_by_password,
    note_failure,
    step_up_by_password,
)
from stowboard.access.settings import AccessSettings
from stowboard.access.tokens import NewToken
from stowboard.api.admission import Admission
from stowboard.api.endpoint import Deleted
from stowboard.core import clock
from stowboard.core.caller import TokenKind
from stowboard.core.errors import AdminRequired
from stowboard.core.reach import ALL
from stowboard.core.scopes import MANAGE_SPACES, Scopes
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.events import audit
from stowboard.events.audit import Actor
from stowboard.events.feed import get_head, write_position
from stowboard.http.exchange import Exchange, Route

LIFETIME_SECONDS = 600
_STEP_UP_WITH_BOTH = (
    "Your account asks for two factors: use your passkey (POST /session/step-up/passkey), or send a recovery code as"
    " `code` beside the password."
)


async def issue_token(
    tx: Tx, key: DigestKey, scopes: Scopes, session: Session, cookie: str, admin: bool, secret: str
) -> tokens.Token:
    """A bearer that a page gets for its cookie: for ten minutes, of the kind interactive, ended with the session.

    `cookie` is the secret that the session came with. Raises NotSignedIn if the session has ended, AdminRequired and
    StepUpRequired for `admin`.
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


class LoginBody(msgspec.Struct, frozen=True):
    username: str
    password: str


class StepUpBody(msgspec.Struct, frozen=True):
    password: str
    #: A recovery code, where the account asks for two factors.
    code: str | None = None


class SessionTokenBody(msgspec.Struct, frozen=True):
    #: Add the scope admin: for admins after a fresh proof.
    admin: bool = False


class SessionState(msgspec.Struct, frozen=True, rename="camel"):
    """The account that is signed in, and its session."""

    account: AccountView
    session: SessionView
    #: True while the latest proof counts as fresh.
    stepped_up: bool
    #: The release of this service.
    version: str = __version__


class SessionRoutes:
    def __init__(self, services: Services, door: SessionDoor) -> None:
        self._door, self._passwords, self._settings = door, services.use(Passwords), services.use(AccessSettings)
        self._db, self._key = services.use(Database), services.use(DigestKey)
        self._scopes, self._authenticator = services.use(Scopes), services.use(TokenAuthenticator)
        self._admission = services.use(Admission)

    def routes(self) -> list[Route]:
        route = self._door.route
        return [
            route("POST", "/session/login", self.login, LoginBody),
            route("POST", "/session/step-up", self.step_up, StepUpBody),
            route("POST", "/session/token", self.token, SessionTokenBody),
            route("GET", "/session", self.show),
            route("DELETE", "/session", self.end),
            route("GET", "/session/list", self.show_all),
            route("DELETE", "/session/list", self.end_others),
            route("DELETE", "/session/{session_id}", self.end_one),
        ]

    async def login(self, exchange: Exchange, body: LoginBody) -> SessionAnswer:
        """Sign in with a password. The session that this browser had ends, and its cookie gets a new secret."""
        await self._check_on()
        cookies, username = self._door.cookies, typed_username(body.username)
        known = cookies.known_device(exchange, username)
        guesses = attempts.name_key(self._key, username)
        if known is not None:
            guesses = attempts.name_key(self._key, f"{known} {username}", "device")
        account, kept = await self._checked(exchange, username, body.password, guesses)
        device, earlier = device_of(exchange), cookies.session_secret(exchange)
        begun = await self._db.transact(begin_by_password, self._key, account, kept, device, guesses, earlier)
        if isinstance(begun, PendingSignIn):
            raise SecondFactorRequired(headers=(cookies.keep_challenge(exchange, begun.secret),))
        return self.entered(exchange, begun)

    async def step_up(self, exchange: Exchange, body: StepUpBody) -> SessionAnswer:
        """Prove again who one is: operations that need a fresh proof are then open for ten minutes.

        Where the account asks for two factors, a recovery code has to come with the password.
        """
        signed_in = await self._door.get_signed_in(exchange)
        await self._check_on()
        guesses = attempts.name_key(self._key, signed_in.session.id, "device")
        account, kept = await self._checked(exchange, signed_in.account.username, body.password, guesses)
        if account.two_factor and not body.code:
            raise SecondFactorRequired(_STEP_UP_WITH_BOTH)
        secret = await self._db.transact(
            step_up_by_password, self._key, signed_in, kept, body.code, exchange.client, guesses
        )
        if secret is None:
            raise InvalidLogin("This is not one of your recovery codes, or it was used before.")
        return SessionAnswer({"steppedUp": True}, headers=[self._door.cookies.keep_session(exchange, secret)])

    async def token(self, exchange: Exchange, body: SessionTokenBody) -> SessionAnswer:
        """A bearer for the API, for ten minutes. Each tab asks for its own; nothing rotates, so nothing races."""
        signed_in = await self._door.get_signed_in(exchange)
        await self._admission.charge(signed_in.session.id)  # the bucket of its bearers
        secret, cookie = tokens.make_secret(), self._door.cookies.session_secret(exchange) or ""
        head = await self._db.read(get_head)
        token = await self._db.transact(
            issue_token, self._key, self._scopes, signed_in.session, cookie, body.admin, secret
        )
        assert token.expires_at is not None
        answer = {
            "access_token": secret,
            "token_type": "Bearer",
            "expires_in": (token.expires_at - token.created_at) // 1000,
            "scope": " ".join(token.scopes),
            # A stream that begins here misses nothing of what happens after the first read.
            "events_cursor": write_position(head.position),
        }
        # The browser counts its thirty days from here on, as we do.
        again = [self._door.cookies.keep_session(exchange, cookie)] if signed_in.session.is_due_for_touch else []
        return SessionAnswer(answer, headers=again, bare=True)

    async def show(self, exchange: Exchange) -> SessionAnswer:
        """Show the account that is signed in here."""
        return SessionAnswer(_state(await self._door.get_signed_in(exchange)))

    async def end(self, exchange: Exchange) -> SessionAnswer:
        """Sign out here. It is no error if nobody is signed in."""
        signed_in = await self._door.find_signed_in(exchange)
        if signed_in is not None:
            await self._db.transact(_end, signed_in.account, signed_in.session.id, exchange.client)
            self._authenticator.forget()
        return SessionAnswer({"signedOut": True}, headers=[self._door.cookies.end_session(exchange)])

    async def show_all(self, exchange: Exchange) -> SessionAnswer:
        """The browsers in which this person is signed in."""
        signed_in = await self._door.get_signed_in(exchange)
        sessions = await self._db.read(session_store.list_of, signed_in.account.id)
        return SessionAnswer([show_session(session, signed_in.session.id) for session in sessions])

    async def end_others(self, exchange: Exchange) -> SessionAnswer:
        """Sign out everywhere else."""
        signed_in = await self._door.get_signed_in(exchange)
        ended = await self._db.transact(end_other_sessions, signed_in.account, signed_in.session.id)
        self._authenticator.forget()
        return SessionAnswer({"ended": ended})

    async def end_one(self, exchange: Exchange, session_id: str) -> SessionAnswer:
        """Sign out one browser."""
        signed_in = await self._door.get_signed_in(exchange)
        await self._db.transact(_end, signed_in.account, session_id)
        self._authenticator.forget()
        return SessionAnswer(Deleted(session_id))

    def entered(self, exchange: Exchange, begun: NewSession) -> SessionAnswer:
        """The answer to a browser that has just signed in. The session that it had, and its tokens, have ended."""
        self._authenticator.forget()
        cookies = self._door.cookies
        headers = [
            cookies.keep_session(exchange, begun.secret),
            cookies.keep_known(exchange, begun.signed_in.account.username),
        ]
        return SessionAnswer(_state(begun.signed_in), headers=headers)

    async def _check_on(self) -> None:
        if not self._settings.password_sign_in:
            await self._db.read(check_on, self._settings)

    async def _checked(self, exchange: Exchange, username: str, password: str, guesses: bytes) -> tuple[Account, str]:
        """The account whose password this is, and the hash of it. Raises InvalidLogin or RateLimited."""
        await self._door.count_guess(exchange, guesses)
        while True:
            found = await self._db.read(account_store.find_with_password, username)
            account, kept = found if found is not None else (None, None)
            right = await self._passwords.is_right(password, None if account is None or account.disabled else kept)
            if account is None or kept is None or not right:
                await self._db.transact(note_failure, account, exchange.client)
                raise InvalidLogin
            if not is_outdated(kept):
                return account, kept
            # Then the password is checked again: another sign-in may have renewed the hash, or it was changed.
            renewed = await self._passwords.keep(password)
            await self._db.transact(account_store.renew_password_hash, account.id, kept, renewed)


async def end_other_sessions(tx: Tx, account: Account, session_id: str) -> int:
    """End every session of the person but this one; returns how many."""
    ended = await session_store.end_all(tx, account.id, session_id)
    await audit.record(tx, Actor(account.username), "session.end_others", account.username, data={"ended": ended})
    return ended


def _state(signed_in: PersonSession) -> SessionState:
    session = signed_in.session
    return SessionState(show_account(signed_in.account), show_session(session, session.id), session.is_stepped_up)


async def _end(tx: Tx, account: Account, session_id: str, address: str | None = None) -> None:
    await session_store.end(tx, account.id, session_id)
    await audit.record(tx, Actor(account.username, address=address), "session.end", session_id)
