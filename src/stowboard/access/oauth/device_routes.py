"""Signing in on a device: its requests (RFC 8628), and `/device`, where a person types its code."""

import msgspec

from stowboard.access.base.session import PersonSession
from stowboard.access.oauth.applications.application import OAuthApplication
from stowboard.access.oauth.chosen_spaces import choices
from stowboard.access.oauth.consent_page import registered, shown_parts
from stowboard.access.oauth.errors import OAuthError
from stowboard.access.oauth.form_routes import ClientRequest, FormDoor, too_many
from stowboard.access.oauth.grants import device
from stowboard.access.oauth.grants.device import LIFETIME_SECONDS, SECONDS, DeviceCodes, DeviceRequest
from stowboard.access.oauth.grants.device_store import WaitingDevice
from stowboard.access.oauth.request import read_door, read_scopes
from stowboard.access.owners import Owners
from stowboard.access.pages.page import redirect, respond_with_page
from stowboard.access.pages.routes import sign_in_address
from stowboard.access.pages.template import fill
from stowboard.access.sessions import attempts
from stowboard.access.sessions.door import SessionAnswer, SessionDoor, device_of
from stowboard.core.errors import RateLimited
from stowboard.core.scopes import ADMIN, Scopes
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.http.exchange import Exchange, Route
from stowboard.http.origin import Origins

PATH = "/device"


class CodeBody(msgspec.Struct, frozen=True):
    code: str


class VerdictBody(msgspec.Struct, frozen=True):
    code: str
    allow: bool
    #: Ids of the shared spaces that the person ticked.
    spaces: list[str] = []


class DeviceRoutes:
    def __init__(self, services: Services, origins: Origins, door: SessionDoor, forms: FormDoor) -> None:
        self._db, self._key, self._scopes = services.use(Database), services.use(DigestKey), services.use(Scopes)
        self._origins, self._door, self._forms = origins, door, forms
        self._owners = services.use(Owners)

    def routes(self) -> list[Route]:
        return [
            self._forms.route("/oauth/device_authorization", "oauth.device", self.begin),
            Route("GET", PATH, self.page, cross_origin=False),
            self._door.route("POST", "/device/look", self.look, CodeBody),
            self._door.route("POST", "/device/decide", self.decide, VerdictBody),
        ]

    async def begin(self, exchange: Exchange, asking: ClientRequest) -> dict[str, object]:
        """A code for the device, and one for its person."""
        application, origin = asking.application, self._origins.of(exchange)
        if not application.device:
            raise OAuthError("unauthorized_client", "This application is not registered for devices.")
        scopes = read_scopes(asking.form.get("scope"), self._scopes)
        if ADMIN in scopes:
            raise OAuthError("invalid_scope", "The scope admin is not given to devices.")
        door = read_door(asking.form.get("resource") or None, origin)
        seen = device_of(exchange)
        asked = DeviceRequest(scopes, door, seen.address, seen.user_agent)
        try:
            begun = await self._db.transact(_begin, self._key, application, asked)
        except RateLimited as limited:
            raise too_many(limited) from None
        return {
            "device_code": begun.device_code, "user_code": begun.user_code, "verification_uri": origin + PATH,
            "expires_in": LIFETIME_SECONDS, "interval": SECONDS,
        }  # fmt: skip

    async def page(self, exchange: Exchange) -> None:
        signed_in = await self._door.find_signed_in(exchange)
        if signed_in is None:
            redirect(exchange, sign_in_address(PATH))
            return
        account = signed_in.account
        content = fill("device.html", account=account.display_name, username=account.username)
        respond_with_page(exchange, self._origins, "Connect a device", content)

    async def look(self, exchange: Exchange, body: CodeBody) -> SessionAnswer:
        """Show the device that waits with this code. Wrong guesses are counted."""
        signed_in, guesses = await self._count(exchange)
        waiting, application = await self._db.transact(_look, self._key, body.code, guesses)
        reached, spaces = await self._db.read(choices, application, signed_in.account)
        shown = {
            "application": application.name, "registered": registered(application), "address": waiting.address,
            "userAgent": waiting.user_agent, "createdAt": waiting.created_at,
            "reached": reached, "spaces": [{"id": space.id, "name": space.name} for space in spaces],
        }  # fmt: skip
        return SessionAnswer(shown | shown_parts(waiting.scopes, self._scopes, application.kind))

    async def decide(self, exchange: Exchange, body: VerdictBody) -> SessionAnswer:
        """Allow the device, or deny it. A wrong guess counts here too."""
        signed_in, guesses = await self._count(exchange)
        application = await self._db.transact(
            _decide, self._owners, self._key, signed_in, body, exchange.client, guesses
        )
        return SessionAnswer({"application": application.name, "allowed": body.allow})

    async def _count(self, exchange: Exchange) -> tuple[PersonSession, bytes]:
        """The person who types a code, and the key under which their guesses are counted. Raises RateLimited."""
        signed_in = await self._door.get_signed_in(exchange)
        guesses = attempts.name_key(self._key, f"device code {signed_in.account.id}", "device")
        await self._door.count_guess(exchange, guesses)
        return signed_in, guesses


async def _begin(tx: Tx, key: DigestKey, application: OAuthApplication, asked: DeviceRequest) -> DeviceCodes:
    await attempts.count_device_code(tx, attempts.address_key(key, asked.address, "device code"))
    return await device.begin(tx, key, application, asked)


async def _look(tx: Tx, key: DigestKey, code: str, guesses: bytes) -> tuple[WaitingDevice, OAuthApplication]:
    found = await device.look(tx, key, code)
    await attempts.uncount(tx, guesses)
    return found


async def _decide(
    tx: Tx, owners: Owners, key: DigestKey, signed_in: PersonSession, body: VerdictBody, address: str, guesses: bytes
) -> OAuthApplication:
    application = await device.decide(tx, owners, key, signed_in, body.code, body.allow, body.spaces, address)
    await attempts.uncount(tx, guesses)
    return application
