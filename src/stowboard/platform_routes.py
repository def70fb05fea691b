"""Addresses outside of the API: files, calendars, agents, OAuth, pages for people, the console, documents."""

from stowboard.access.pages.routes import PageRoutes
from stowboard.access.routes import outside_routes
from stowboard.access.sessions.door import SessionDoor
from stowboard.api.documents.discovery import discovery_routes
from stowboard.api.documents.docs_page.routes import docs_routes
from stowboard.api.documents.manual import manual_routes
from stowboard.catalogue import CATALOGUE
from stowboard.console.routes import console_routes
from stowboard.core.services import Services
from stowboard.http.exchange import Route
from stowboard.http.origin import Origins
from stowboard.media import routes as media_routes
from stowboard.settings import Settings
from stowboard.tasks.calendar import routes as calendar_routes


def platform_routes(services: Services, origins: Origins, settings: Settings) -> list[Route]:
    door = SessionDoor(services, origins)
    pages = PageRoutes(services, door, origins)
    return [
        *media_routes.capability_routes(services, origins),
        *calendar_routes.routes(services, origins),
        *outside_routes(services, origins, door, pages),
        *discovery_routes(CATALOGUE, origins, settings.agents.scopes, settings.security_contact),
        *docs_routes(CATALOGUE, origins),
        *manual_routes(origins),
        *console_routes(settings.media.cdn_url, pages),
    ]
