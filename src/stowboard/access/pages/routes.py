"""The pages on which people sign in, accept an invitation, choose a password and sign out."""

from functools import cache
from urllib.parse import parse_qsl, quote

from stowboard.access.accounts.letters import Letters
from stowboard.access.accounts.password_sign_in import are_on
from stowboard.access.base.account_store import has_any
from stowboard.access.pages.page import redirect, respond_with_page, safe_next
from stowboard.access.pages.template import DIRECTORY, Html, fill, template
from stowboard.access.passkeys.ceremony import why_unavailable
from stowboard.access.sessions.door import SessionDoor
from stowboard.access.settings import AccessSettings
from stowboard.core.errors import RouteNotFound
from stowboard.core.services import Services
from stowboard.db.database import Database, Tx
from stowboard.http.exchange import Exchange, Route
from stowboard.http.origin import Origins
from stowboard.http.static import StaticDocument, respond_with

ASSETS = {
    "passkeys.js": "text/javascript; charset=utf-8",
    "people.js": "text/javascript; charset=utf-8",
    "oauth.js": "text/javascript; charset=utf-8",
}


class PageRoutes:
    def __init__(self, services: Services, door: SessionDoor, origins: Origins) -> None:
        self._door, self._origins, self._letters = door, origins, services.use(Letters)
        self._db, self._settings = services.use(Database), services.use(AccessSettings)

    def routes(self) -> list[Route]:
        pages = {
            "/signin": self.sign_in,
            "/signin/connect": self.connect,
            "/signout": self.sign_out,
            "/setup": self.set_up,
            "/invite": self.accept,
            "/reset": self.reset,
            "/email": self.confirm_email,
            "/join": self.join,
        }
        return [
            *(Route("GET", path, handler, cross_origin=False) for path, handler in pages.items()),
            Route("GET", "/pages/{name}", asset),
        ]

    async def sign_in(self, exchange: Exchange) -> None:
        """Sign in, and go on to `next`. A person who is signed in goes on at once, unless there is `again`.

        The console says `ended` if it was at work when the session ended.
        """
        query = parse_parameters(exchange.query)
        onward, again = safe_next(query.get("next")), "again" in query
        if not again and await self._door.find_signed_in(exchange) is not None:
            redirect(exchange, onward)
        else:
            await self._show_sign_in(exchange, onward, again, "ended" in query)

    async def sign_in_first(self, exchange: Exchange) -> bool:
        """True if nobody is signed in: the sign-in page was shown at this address, and leads back to it."""
        if await self._door.find_signed_in(exchange) is not None:
            return False
        query = f"?{exchange.query}" if exchange.query else ""
        await self._show_sign_in(exchange, safe_next(quote(exchange.path) + query))
        return True

    async def _show_sign_in(self, exchange: Exchange, onward: str, again: bool = False, ended: bool = False) -> None:
        self._show(
            exchange,
            "Sign in",
            "signin.html",
            next=onward,
            ended=template("ended.html") if ended else Html(""),
            password=await self._db.read(self._password, onward),
            provider=self._provider("signin", next=onward, again="true" if again else "false"),
            passkey=self._passkey(exchange, onward),
        )

    async def connect(self, exchange: Exchange) -> None:
        """Let a person who is signed in connect the provider. It needs a fresh proof of identity."""
        onward = safe_next(parse_parameters(exchange.query).get("next"))
        signed_in = await self._door.find_signed_in(exchange)
        if not self._settings.provider.is_set:
            raise RouteNotFound
        if signed_in is None or not signed_in.session.is_stepped_up:
            back = f"/signin/connect?next={quote(onward, safe='/')}"
            redirect(exchange, f"/signin?again=1&next={quote(back, safe='/')}")
            return
        account, label = signed_in.account, self._settings.provider.shown_label
        names = {"account": account.display_name, "username": account.username}
        self._show(exchange, "Connect a provider", "provider/connect.html", label=label, next=onward, **names)

    async def sign_out(self, exchange: Exchange) -> None:
        onward = safe_next(parse_parameters(exchange.query).get("next", "/signin"))
        self._show(exchange, "Sign out", "signout.html", next=onward)

    async def set_up(self, exchange: Exchange) -> None:
        words = "Create the first account of this installation. It is an admin account."
        await self._show_new_account(exchange, "Set up", words)

    async def accept(self, exchange: Exchange) -> None:
        words = "You were invited to Stowboard. Choose a username and how you sign in."
        await self._show_new_account(exchange, "Welcome", words)

    async def reset(self, exchange: Exchange) -> None:
        ask = template("ask_by_mail.html" if self._letters.has_links else "ask_an_admin.html")
        ways = await self._ways("New password", "Set password", "You will be signed out everywhere.")
        self._show(exchange, "New password", "reset.html", ask=ask, **ways)

    async def confirm_email(self, exchange: Exchange) -> None:
        self._show(exchange, "Your e-mail address", "email.html")

    async def join(self, exchange: Exchange) -> None:
        """Join a shared space: at once if somebody is signed in, else by signing in or making an account here."""
        signed_in = await self._door.find_signed_in(exchange)
        if signed_in is not None:
            account = signed_in.account
            ways = fill("join/signed_in.html", account=account.display_name, username=account.username)
        else:
            ways = fill(
                "join/sign_in.html",
                password=await self._db.read(self._password, "/join"),
                provider=self._provider("signin", next="/join", again="false"),
                passkey=self._passkey(exchange, "/join"),
                new_account=await self._new_account("Choose a username and how you sign in."),
            )
        self._show(exchange, "Join a space", "join/page.html", ways=ways)

    async def _show_new_account(self, exchange: Exchange, title: str, words: str) -> None:
        respond_with_page(exchange, self._origins, title, await self._new_account(words))

    async def _new_account(self, words: str) -> Html:
        return fill("new_account.html", words=words, **await self._ways("Password", "Create account"))

    async def _ways(self, label: str, button: str, note: str = "") -> dict[str, Html]:
        """The ways to sign in that the holder of a link can choose: a password, the provider."""
        passwords = await self._db.read(are_on, self._settings)
        password = fill("new_password.html", label=label, button=button, note=note) if passwords else Html("")
        return {"password": password, "provider": self._provider("accept")}

    async def _password(self, tx: Tx, onward: str) -> Html:
        """The form for a password; where nobody has an account, how the first one is made."""
        if not await has_any(tx):
            return template("no_account.html")
        return fill("signin_password.html", next=onward) if await are_on(tx, self._settings) else Html("")

    def _provider(self, name: str, **values: str) -> Html:
        provider = self._settings.provider
        return fill(f"provider/{name}.html", label=provider.shown_label, **values) if provider.is_set else Html("")

    def _passkey(self, exchange: Exchange, onward: str) -> Html:
        reason = why_unavailable(self._origins.of(exchange))
        return fill("passkey.html", next=onward) if reason is None else fill("no_passkey.html", reason=reason)

    def _show(self, exchange: Exchange, title: str, name: str, **values: str) -> None:
        respond_with_page(exchange, self._origins, title, fill(name, **values))


async def asset(exchange: Exchange, name: str) -> None:
    """A file that the pages need; no other file can be named."""
    if name not in ASSETS:
        raise RouteNotFound
    respond_with(exchange, _asset(name))


def parse_parameters(query: str) -> dict[str, str]:
    """The query parameters of a page; empty if they cannot be read."""
    try:
        return dict(parse_qsl(query, keep_blank_values=True, max_num_fields=64))
    except ValueError:
        return {}


def sign_in_address(onward: str) -> str:
    """The address of the sign-in page that leads back to this path."""
    return f"/signin?next={quote(onward, safe='/')}"


@cache
def _asset(name: str) -> StaticDocument:
    return StaticDocument(ASSETS[name], (DIRECTORY / name).read_bytes(), max_age=300)
