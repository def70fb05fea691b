"""The pages on which people sign in, accept an invitation, choose a password and sign out."""

from functools import cache
from urllib.parse import parse_qs, quote

from stowboard.access.pages.page import redirect, respond_with_page, safe_next
from stowboard.access.pages.template import DIRECTORY, Html, fill, template
from stowboard.access.passkeys.ceremony import why_unavailable
from stowboard.access.sessions.door import Door
from stowboard.core.errors import RouteNotFound
from stowboard.core.services import Services
from stowboard.events.mail.mailer import Mailer
from stowboard.http.exchange import Exchange, Route
from stowboard.http.origin import Origins
from stowboard.http.static import Document, respond_with

ASSETS = {
    "passkeys.js": "text/javascript; charset=utf-8",
    "people.js": "text/javascript; charset=utf-8",
    "oauth.js": "text/javascript; charset=utf-8",
    "people.css": "text/css; charset=utf-8",
}


class PageRoutes:
    def __init__(self, services: Services, door: Door, origins: Origins) -> None:
        self._door, self._origins, mailer = door, origins, services.use(Mailer)
        self._mails = mailer.is_set and mailer.public_url is not None

    def routes(self) -> list[Route]:
        pages = {
            "/signin": self.sign_in,
            "/signout": self.sign_out,
            "/setup": self.set_up,
            "/invite": self.accept,
            "/reset": self.reset,
        }
        return [
            *(Route("GET", path, handler, cross_origin=False) for path, handler in pages.items()),
            Route("GET", "/pages/{name}", asset),
        ]

    async def sign_in(self, exchange: Exchange) -> None:
        """Sign in, and go on to `next`. Who is signed in goes on at once, unless `again` asks otherwise."""
        query = parse_qs(exchange.query, max_num_fields=64)
        onward = safe_next(query.get("next", [""])[0])
        if "again" not in query and await self._door.find_signed_in(exchange) is not None:
            redirect(exchange, onward)
            return
        self._show(exchange, "Sign in", "signin.html", next=onward, passkey=self._passkey(exchange, onward))

    async def sign_out(self, exchange: Exchange) -> None:
        onward = safe_next(parse_qs(exchange.query, max_num_fields=64).get("next", ["/signin"])[0])
        self._show(exchange, "Sign out", "signout.html", next=onward)

    async def set_up(self, exchange: Exchange) -> None:
        self._show(exchange, "Set up", "setup.html")

    async def accept(self, exchange: Exchange) -> None:
        self._show(exchange, "Welcome", "invite.html")

    async def reset(self, exchange: Exchange) -> None:
        ask = template("ask_by_mail.html" if self._mails else "ask_an_admin.html")
        self._show(exchange, "New password", "reset.html", ask=ask)

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


def sign_in_address(onward: str) -> str:
    """Where to send somebody who has to sign in first, to come back to that path."""
    return f"/signin?next={quote(onward, safe='/')}"


@cache
def _asset(name: str) -> Document:
    return Document(ASSETS[name], (DIRECTORY / name).read_bytes(), max_age=300)
