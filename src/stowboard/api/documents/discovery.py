"""Discovery: the index of the API, its OpenAPI document, and the documents at well-known addresses.

`DOCUMENTS` is the one list; the index and the API catalog (RFC 9727) both show it. The OpenAPI document is made once,
with a placeholder for the origin that is replaced in each answer. So a client that invents host names costs no more
than that. JSON and YAML take tens of milliseconds to make, so a thread makes them at the first request.
"""

import asyncio
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache, lru_cache, partial
from typing import Annotated

import msgspec

from stowboard.api.documents.catalogue import Catalogue
from stowboard.api.documents.openapi import as_yaml, document
from stowboard.api.endpoint import BASE_PATH, Answer, Call, Endpoint
from stowboard.core import clock
from stowboard.core.caller import AGENTS_DOOR, API_DOOR
from stowboard.db.database import Tx
from stowboard.http.exchange import Exchange, Route
from stowboard.http.origin import Origins
from stowboard.http.static import JSON, StaticDocument, prepared, respond_with

OPENAPI_JSON = "/openapi.json"
OPENAPI_YAML = "/openapi.yaml"
PROTECTED_RESOURCE = "/.well-known/oauth-protected-resource"
AUTHORIZATION_SERVER = "/.well-known/oauth-authorization-server"
API_CATALOG = "/.well-known/api-catalog"
YAML = "application/yaml"
LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
_STAND_IN = "https://origin.invalid"
#: The number of origins that are remembered. Each of them keeps a document of a megabyte.
_MOST_ORIGINS = 4
SECURITY_TXT = "/.well-known/security.txt"
_DAY_MS = 86_400_000
_GOOD_FOR_DAYS = 182


class DiscoveryLink(msgspec.Struct, frozen=True):
    """A document that describes the API or a part of it."""

    rel: str
    href: str
    type: str
    title: str
    public: Annotated[bool, msgspec.Meta(description="Whether it is read without a token.")] = True

    def at(self, origin: str) -> "DiscoveryLink":
        return DiscoveryLink(self.rel, origin + self.href, self.type, self.title, self.public)


class DiscoveryIndex(msgspec.Struct, frozen=True):
    """Where everything about the API is described."""

    name: str
    version: str
    documents: list[DiscoveryLink]


DOCUMENTS = [
    DiscoveryLink("service-desc", OPENAPI_JSON, JSON, "OpenAPI 3.1 description, in JSON"),
    DiscoveryLink("service-desc", OPENAPI_YAML, YAML, "OpenAPI 3.1 description, in YAML"),
    DiscoveryLink("service-doc", "/docs", "text/html", "Interactive documentation"),
    DiscoveryLink("service-doc", "/docs/errors", "text/html", "Every error code, and what to do about it"),
    DiscoveryLink("service-meta", "/docs/errors.json", JSON, "Every error code, for programs"),
    DiscoveryLink("service-doc", "/llms.txt", "text/plain", "What a language model should read, and where it is"),
    DiscoveryLink("service-meta", PROTECTED_RESOURCE + BASE_PATH, JSON, "OAuth protected resource metadata (RFC 9728)"),
    DiscoveryLink("service-meta", PROTECTED_RESOURCE + AGENTS_DOOR, JSON, "The same of the door for agents (MCP)"),
    DiscoveryLink("service-meta", AUTHORIZATION_SERVER, JSON, "OAuth authorization server metadata (RFC 8414)"),
    DiscoveryLink("api-catalog", API_CATALOG, LINKSET, "API catalog (RFC 9727)"),
    DiscoveryLink("status", "/healthz", JSON, "Whether the server is alive"),
    DiscoveryLink("status", "/readyz", JSON, "Whether the server can serve"),
]


async def get_index(_: Tx, call: Call[None, None]) -> Answer:
    """List every document that describes this API.

    The documents themselves are public; this list, like all of the API, needs a token, but no scope.
    """
    documents = [link.at(call.origin) for link in DOCUMENTS]
    links = ", ".join(f'<{link.href}>; rel="{link.rel}"' for link in documents)
    return Answer(DiscoveryIndex("Stowboard", "v1", documents), headers=(("link", links),))


ENDPOINTS = [
    Endpoint(
        "GET", "/", get_index, answer=DiscoveryIndex,
        headers={"Link": "The same list, as web links (RFC 8288)."},
        example={"name": "Stowboard", "version": "v1", "documents": [
            {"rel": "service-desc", "href": "https://stow.example.org/openapi.json", "type": JSON,
             "title": "OpenAPI 3.1 description, in JSON", "public": True},
        ]},
    ),
]  # fmt: skip


def discovery_routes(
    catalogue: Catalogue, origins: Origins, agent_scopes: Iterable[str], security_contact: str | None = None
) -> list[Route]:
    """The public documents, except those under /docs. `agent_scopes` are the scopes that the door for agents uses.

    Without a contact there is no `security.txt`.
    """
    as_json = cache(lambda: msgspec.json.encode(document(catalogue, _STAND_IN)))
    known = catalogue.scopes.known

    def serve(path: str, make: Callable[[str], StaticDocument]) -> Route:
        async def handler(exchange: Exchange) -> None:
            respond_with(exchange, make(origins.of(exchange)))

        return Route("GET", path, handler)

    def serve_openapi(path: str, content_type: str, make: Callable[[], bytes]) -> Route:
        made = cache(make)

        @lru_cache(_MOST_ORIGINS)
        def at(origin: str) -> StaticDocument:
            return StaticDocument(content_type, made().replace(_STAND_IN.encode(), origin.encode()))

        async def handler(exchange: Exchange) -> None:
            # The tag and the compression are made in a thread, too: a stranger may send another Host with each request.
            origin, accepted = origins.of(exchange), exchange.header("accept-encoding")
            respond_with(exchange, await asyncio.to_thread(lambda: prepared(at(origin), accepted)))

        return Route("GET", path, handler)

    routes = [
        serve_openapi(OPENAPI_JSON, JSON, as_json),
        serve_openapi(OPENAPI_YAML, YAML, lambda: as_yaml(as_json())),
        serve(PROTECTED_RESOURCE, partial(_protected_resource, API_DOOR, known)),
        serve(PROTECTED_RESOURCE + API_DOOR, partial(_protected_resource, API_DOOR, known)),
        serve(PROTECTED_RESOURCE + AGENTS_DOOR, partial(_protected_resource, AGENTS_DOOR, agent_scopes)),
        serve(API_CATALOG, _api_catalog),
    ]
    return [*routes, serve(SECURITY_TXT, partial(_security_txt, security_contact))] if security_contact else routes


def _protected_resource(door: str, scopes: Iterable[str], origin: str) -> StaticDocument:
    """RFC 9728."""
    metadata = {
        "resource": origin + door,
        "authorization_servers": [origin],
        "scopes_supported": list(scopes),
        "bearer_methods_supported": ["header"],
        "resource_name": "Stowboard",
        "resource_documentation": origin + "/docs",
    }
    return StaticDocument(JSON, msgspec.json.encode(metadata))


def _api_catalog(origin: str) -> StaticDocument:
    """RFC 9727: a set of links, and for HEAD the Link header."""
    links: dict[str, object] = {"anchor": origin + BASE_PATH}
    for relation in dict.fromkeys(link.rel for link in DOCUMENTS if link.rel != "api-catalog"):
        targets = [link.at(origin) for link in DOCUMENTS if link.rel == relation]
        links[relation] = [{"href": link.href, "type": link.type, "title": link.title} for link in targets]
    header = f'<{origin}{API_CATALOG}>; rel="api-catalog"'
    return StaticDocument(LINKSET, msgspec.json.encode({"linkset": [links]}), (("link", header),))


def _security_txt(contact: str, origin: str) -> StaticDocument:
    """RFC 9116: the contact for reports of weaknesses.

    It expires half a year after the day on which it is read. So the served file is never expired, and an old copy says
    that it is too old.
    """
    day = clock.now_ms() // _DAY_MS + _GOOD_FOR_DAYS
    expires = datetime.fromtimestamp(day * _DAY_MS / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    text = f"Contact: {contact}\nExpires: {expires}\nCanonical: {origin}{SECURITY_TXT}\n"
    return StaticDocument("text/plain; charset=utf-8", text.encode())
