"""Applications whose id is the https address of a document about them (client ID metadata documents).

The document is fetched only for a person who is signed in, a few times a minute at most, through the guard for
addresses that others name. All nodes keep it for a while. It vouches for its own host: answers go to that origin, or to
a program on the person's own machine.
"""

import time
from urllib.parse import urlsplit

import msgspec

from stowboard.access.oauth.applications import application_store
from stowboard.access.oauth.applications.application import ApplicationOrigin, OAuthApplication, readable_name
from stowboard.access.oauth.applications.redirects import MOST, is_loopback, problem_with
from stowboard.access.oauth.errors import UntrustedRequest
from stowboard.access.tokens import ClientId
from stowboard.core import clock
from stowboard.db.database import Database
from stowboard.http.outgoing.client import Outgoing, OutgoingReply
from stowboard.http.outgoing.failure import OutgoingFailed

LARGEST = 5 * 1024
SECONDS = 5.0
FRESH_MS = 5 * 60_000
LONGEST_FRESH_MS = 24 * 3600 * 1000
PAUSE_SECONDS = 60.0
PER_MINUTE = 10
_MOST_REMEMBERED = 1000
_PUBLIC = "none"


class ClientDocument(msgspec.Struct, frozen=True):
    client_id: str
    redirect_uris: list[str]
    client_name: str = ""
    token_endpoint_auth_method: str = _PUBLIC
    client_secret: msgspec.Raw | None = None


class _Failure(msgspec.Struct, frozen=True):
    text: str
    until: float


class ClientDocuments:
    def __init__(self, db: Database, outgoing: Outgoing, hosts: tuple[str, ...]) -> None:
        """`hosts` are the hosts whose documents count; an empty list stands for every host, `off` for no host."""
        self._db, self._outgoing, self._hosts = db, outgoing, hosts
        self._failures: dict[str, _Failure] = {}
        self._fetched: dict[str, list[float]] = {}

    @property
    def are_taken(self) -> bool:
        return self._hosts != ("off",)

    async def get(self, client_id: str, account_id: str) -> OAuthApplication:
        """Raises UntrustedRequest with what is wrong, for the person."""
        host = urlsplit(client_id).hostname or ""
        if self._hosts and host not in self._hosts:
            raise UntrustedRequest(f"This installation does not take applications from {host}.")
        if await self._db.read(application_store.is_removed, client_id):
            raise UntrustedRequest("An admin has removed this application.")
        known = await self._db.read(application_store.find, client_id)
        if known is not None and (known.fresh_until or 0) > clock.now_ms():
            return known
        return await self._fetch(client_id, host, account_id)

    async def _fetch(self, client_id: str, host: str, account_id: str) -> OAuthApplication:
        failure = self._failures.get(client_id)
        if failure is not None and time.monotonic() < failure.until:
            raise UntrustedRequest(failure.text)
        self._count(account_id)
        try:
            reply = await self._outgoing.fetch(
                "GET", client_id, [("accept", "application/json")], most=LARGEST, seconds=SECONDS, owner=account_id
            )
            document = _read(reply, client_id)
        except (OutgoingFailed, UntrustedRequest) as error:
            raise self._failed(client_id, str(error)) from None
        now = clock.now_ms()
        application = OAuthApplication(
            ClientId(client_id), ApplicationOrigin.DOCUMENT, readable_name(document.client_name, host),
            document.redirect_uris, False, host, now, now + _fresh_ms(reply), None,
        )  # fmt: skip
        await self._db.transact(application_store.keep_document, application)
        return application

    def _count(self, account_id: str) -> None:
        now = time.monotonic()
        recent = [at for at in self._fetched.get(account_id, []) if now - at < 60.0]
        if len(recent) >= PER_MINUTE:
            raise UntrustedRequest("Too many applications were looked up in a minute. Try again in a moment.")
        if len(self._fetched) >= _MOST_REMEMBERED:
            self._fetched.clear()
        self._fetched[account_id] = [*recent, now]

    def _failed(self, client_id: str, reason: str) -> UntrustedRequest:
        text = f"The document that describes the application cannot be used: {reason}"
        if len(self._failures) >= _MOST_REMEMBERED:
            self._failures.clear()
        self._failures[client_id] = _Failure(text, time.monotonic() + PAUSE_SECONDS)
        return UntrustedRequest(text)


def _read(reply: OutgoingReply, client_id: str) -> ClientDocument:
    if reply.status != 200:
        raise UntrustedRequest(f"its address answered with status {reply.status}.")
    if not reply.headers.get("content-type", "").partition(";")[0].strip().lower().endswith("json"):
        raise UntrustedRequest("it is not JSON.")
    try:
        document = msgspec.json.decode(reply.body, type=ClientDocument)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise UntrustedRequest("it is not JSON with client_id and redirect_uris.") from None
    if document.client_id != client_id:
        raise UntrustedRequest("its client_id is not its own address.")
    if document.client_secret is not None or document.token_endpoint_auth_method != _PUBLIC:
        raise UntrustedRequest("it speaks of a secret, and a public document has none.")
    if not 1 <= len(document.redirect_uris) <= MOST:
        raise UntrustedRequest(f"it needs one to {MOST} redirect_uris.")
    for uri in document.redirect_uris:
        if problem_with(uri) is not None or not (is_loopback(uri) or _origin(uri) == _origin(client_id)):
            raise UntrustedRequest(
                "one of its redirect_uris is neither of its own origin nor on the loopback interface."
            )
    return document


def _origin(url: str) -> tuple[str, str | None, int]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or 443


def _fresh_ms(reply: OutgoingReply) -> int:
    """How long the answer says that it stays fresh, within bounds."""
    for part in reply.headers.get("cache-control", "").split(","):
        name, _, value = part.strip().partition("=")
        if name.lower() == "max-age" and value.isdecimal() and len(value) < 10:
            return min(max(int(value) * 1000, FRESH_MS), LONGEST_FRESH_MS)
    return FRESH_MS
