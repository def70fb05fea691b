"""The metadata of the authorization server (RFC 8414)."""

import msgspec

from stowboard.access.oauth.applications.client_documents import ClientDocuments
from stowboard.access.oauth.authorize_routes import PATH
from stowboard.access.oauth.routes import DEVICE_CODE
from stowboard.access.settings import AccessSettings
from stowboard.api.documents.discovery import AUTHORIZATION_SERVER
from stowboard.core.caller import DOORS
from stowboard.core.scopes import Scopes
from stowboard.core.services import Services
from stowboard.http.exchange import Exchange, Route
from stowboard.http.origin import Origins
from stowboard.http.static import JSON, StaticDocument, respond_with

_METHODS = ["none", "client_secret_basic", "client_secret_post"]


def metadata_routes(services: Services, origins: Origins) -> list[Route]:
    async def metadata(exchange: Exchange) -> None:
        respond_with(
            exchange, StaticDocument(JSON, msgspec.json.encode(server_metadata(services, origins.of(exchange))))
        )

    return [Route("GET", AUTHORIZATION_SERVER, metadata)]


def server_metadata(services: Services, origin: str) -> dict[str, object]:
    content: dict[str, object] = {
        "issuer": origin,
        "authorization_endpoint": origin + PATH,
        "token_endpoint": origin + "/oauth/token",
        "token_endpoint_auth_methods_supported": _METHODS,
        "revocation_endpoint": origin + "/oauth/revoke",
        "revocation_endpoint_auth_methods_supported": _METHODS,
        "introspection_endpoint": origin + "/oauth/introspect",
        "introspection_endpoint_auth_methods_supported": _METHODS,
        "device_authorization_endpoint": origin + "/oauth/device_authorization",
        "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials", DEVICE_CODE],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": services.use(ClientDocuments).are_taken,
        "scopes_supported": list(services.use(Scopes).known),
        "protected_resources": [origin + door for door in DOORS],
        "service_documentation": origin + "/docs",
    }
    if services.use(AccessSettings).registration:
        content["registration_endpoint"] = origin + "/oauth/register"
    return content
