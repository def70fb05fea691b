"""Every endpoint and route of access, in the order in which the documentation shows them. upkeep.py has its jobs."""

from stowboard.access import audit_routes, member_routes, space_routes, space_token_routes, token_routes
from stowboard.access.accounts import account_routes, me_routes, my_token_routes
from stowboard.access.base import errors
from stowboard.access.oauth import client_routes, my_application_routes
from stowboard.access.oauth.applications import application_routes
from stowboard.access.oauth.authorize_routes import AuthorizeRoutes
from stowboard.access.oauth.device_routes import DeviceRoutes
from stowboard.access.oauth.form_routes import FormDoor
from stowboard.access.oauth.metadata_routes import metadata_routes
from stowboard.access.oauth.refused import RefusedRequests
from stowboard.access.oauth.register_routes import RegisterRoutes
from stowboard.access.oauth.routes import OAuthServer
from stowboard.access.pages.routes import PageRoutes
from stowboard.access.passkeys import passkey_routes, recovery_routes
from stowboard.access.passkeys.recovery_routes import RecoveryRoutes
from stowboard.access.passkeys.sign_in_routes import PasskeySignInRoutes
from stowboard.access.sessions.door import SessionDoor
from stowboard.access.sessions.session_routes import SessionRoutes
from stowboard.access.sessions.ticket_routes import TicketRoutes
from stowboard.access.upstream import identity_routes
from stowboard.access.upstream.provider_routes import ProviderRoutes
from stowboard.core.errors import Problem
from stowboard.core.services import Services
from stowboard.db.database import Database
from stowboard.http.exchange import Route
from stowboard.http.origin import Origins

ENDPOINTS = [
    *me_routes.ENDPOINTS,
    *passkey_routes.ENDPOINTS,
    *recovery_routes.ENDPOINTS,
    *identity_routes.ENDPOINTS,
    *my_token_routes.ENDPOINTS,
    *my_application_routes.ENDPOINTS,
    *account_routes.ENDPOINTS,
    *audit_routes.ENDPOINTS,
    *token_routes.ENDPOINTS,
    *client_routes.ENDPOINTS,
    *application_routes.ENDPOINTS,
    *space_routes.ENDPOINTS,
    *member_routes.ENDPOINTS,
    *space_token_routes.ENDPOINTS,
]


#: Errors of routes outside the API.
PROBLEMS = [problem for problem in Problem.__subclasses__() if problem.__module__ == errors.__name__]


def outside_routes(services: Services, origins: Origins, door: SessionDoor, pages: PageRoutes) -> list[Route]:
    """Routes outside the API: OAuth, the pages for people, and the requests of these pages."""
    refused = RefusedRequests(services.use(Database))
    forms = FormDoor(services, refused)
    sessions = SessionRoutes(services, door)
    return [
        *OAuthServer(services, origins, forms).routes(),
        *AuthorizeRoutes(services, origins, door, forms, refused).routes(),
        *DeviceRoutes(services, origins, door, forms).routes(),
        *RegisterRoutes(services, forms).routes(),
        *metadata_routes(services, origins),
        *sessions.routes(),
        *PasskeySignInRoutes(services, door, sessions, origins).routes(),
        *RecoveryRoutes(services, door, sessions).routes(),
        *ProviderRoutes(services, door, sessions, origins).routes(),
        *TicketRoutes(services, door, sessions).routes(),
        *pages.routes(),
    ]
