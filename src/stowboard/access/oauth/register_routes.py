"""`POST /oauth/register` (RFC 7591), where the operator has it on."""

import msgspec

from stowboard.access.oauth.applications.register import ApplicationMetadata, check, register, shown
from stowboard.access.oauth.errors import OAuthError
from stowboard.access.oauth.form_bodies import read_bounded
from stowboard.access.oauth.form_routes import FormDoor
from stowboard.access.settings import AccessSettings
from stowboard.core.decoding import decode_json
from stowboard.core.errors import Problem
from stowboard.core.services import Services
from stowboard.db.database import Database
from stowboard.http.exchange import Exchange, Route

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
