"""`POST /oauth/register` (RFC 7591), if the operator turns it on: programs register themselves.

They have no secret. One address registers a few a day, and those that are not used are removed.
"""

from typing import Annotated

import msgspec

from stowboard.access.oauth.applications import application_store
from stowboard.access.oauth.applications.application import (
    LONGEST_NAME,
    NAME,
    ApplicationOrigin,
    OAuthApplication,
    readable_name,
)
from stowboard.access.oauth.applications.redirects import MOST, problem_with
from stowboard.access.oauth.errors import OAuthError
from stowboard.access.oauth.form_bodies import read_bounded
from stowboard.access.oauth.form_routes import FormDoor
from stowboard.access.settings import AccessSettings
from stowboard.access.tokens import ClientId
from stowboard.core import clock
from stowboard.core.decoding import decode_json
from stowboard.core.errors import Problem
from stowboard.core.household import household
from stowboard.core.ids import new_id
from stowboard.core.services import Services
from stowboard.db.database import Database, Tx
from stowboard.events import audit
from stowboard.events.audit import NOBODY, Actor
from stowboard.http.exchange import Exchange, Route

GRANT_TYPES = ["authorization_code", "refresh_token"]
_DAY_MS = 24 * 3600 * 1000


class ApplicationMetadata(msgspec.Struct, frozen=True):
    """The metadata that a program registers with; members that we do not use are dropped."""

    redirect_uris: Annotated[list[str], msgspec.Meta(min_length=1, max_length=MOST)]
    client_name: str = ""
    grant_types: list[str] = msgspec.field(default_factory=lambda: list(GRANT_TYPES))
    response_types: list[str] = msgspec.field(default_factory=lambda: ["code"])


def check(metadata: ApplicationMetadata) -> None:
    """Raises OAuthError."""
    for uri in metadata.redirect_uris:
        if problem := problem_with(uri):
            raise OAuthError("invalid_redirect_uri", f"redirect_uris: {problem}.")
    if "authorization_code" not in metadata.grant_types or "code" not in metadata.response_types:
        raise OAuthError("invalid_client_metadata", "grant_types and response_types: authorization_code with code.")
    if len(metadata.client_name) > LONGEST_NAME or not NAME.fullmatch(metadata.client_name):
        raise OAuthError("invalid_client_metadata", f"client_name: at most {LONGEST_NAME} printable characters.")


async def register(tx: Tx, metadata: ApplicationMetadata, address: str, per_day: int) -> OAuthApplication:
    """Raises OAuthError if the address has had its share for today."""
    place, now = household(address), clock.now_ms()
    if await application_store.count_registered(tx, place, now - _DAY_MS) >= per_day:
        retry = (("retry-after", "3600"),)
        raise OAuthError("temporarily_unavailable", f"{per_day} a day may register from one address.", 429, retry)
    client_id = ClientId(new_id("app"))
    name = readable_name(metadata.client_name, client_id)
    uris = list(dict.fromkeys(metadata.redirect_uris))
    application = OAuthApplication(client_id, ApplicationOrigin.ITSELF, name, uris, False, place, now)
    await application_store.insert(tx, application)
    await audit.record(tx, Actor(NOBODY, address=address), "application.register", client_id)
    return application


def shown(application: OAuthApplication) -> dict[str, object]:
    return {
        "client_id": application.client_id,
        "client_id_issued_at": application.created_at // 1000,
        "client_name": application.name,
        "redirect_uris": application.redirect_uris,
        "grant_types": GRANT_TYPES,
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }


_DECODER = msgspec.json.Decoder(ApplicationMetadata)


class RegisterRoutes:
    def __init__(self, services: Services, forms: FormDoor) -> None:
        self._db, self._settings, self._forms = services.use(Database), services.use(AccessSettings), forms

    def routes(self) -> list[Route]:
        if not self._settings.registration:
            return []
        return [self._forms.bare_route("/oauth/register", "application.register", self.register)]

    async def register(self, exchange: Exchange) -> tuple[int, dict[str, object]]:
        raw = await read_bounded(exchange)
        try:
            metadata = decode_json(_DECODER, raw)
        except Problem as problem:
            raise OAuthError("invalid_client_metadata", problem.message) from None
        check(metadata)
        per_day = self._settings.registrations_per_day
        return 201, shown(await self._db.transact(register, metadata, exchange.client, per_day))
