"""Every endpoint, route and job of access, in the order in which the documentation shows them."""

from stowboard.access import audit_routes, member_routes, space_routes, space_token_routes, token_routes
from stowboard.access.accounts import account_routes, me_routes, my_token_routes
from stowboard.access.accounts.letters import MAIL_LETTER
from stowboard.access.accounts.reset import MAIL_RESET
from stowboard.access.base import errors
from stowboard.access.base.challenges import forget_challenges
from stowboard.access.base.grant_store import end_expired, forget_grants
from stowboard.access.base.session_store import forget_sessions
from stowboard.access.base.tickets import forget_tickets
from stowboard.access.oauth import client_routes, my_application_routes
from stowboard.access.oauth.applications import application_routes
from stowboard.access.oauth.applications.application_store import forget_unused
from stowboard.access.oauth.authorize_routes import AuthorizeRoutes
from stowboard.access.oauth.device_routes import DeviceRoutes
from stowboard.access.oauth.form_routes import FormDoor
from stowboard.access.oauth.grants.code_store import forget_codes
from stowboard.access.oauth.grants.device_store import forget_devices
from stowboard.access.oauth.grants.refresh_store import forget_refresh_tokens
from stowboard.access.oauth.metadata_routes import metadata_routes
from stowboard.access.oauth.refused import RefusedRequests
from stowboard.access.oauth.register_routes import RegisterRoutes
from stowboard.access.oauth.routes import OAuthServer
from stowboard.access.pages.routes import PageRoutes
from stowboard.access.passkeys import passkey_routes, recovery_routes
from stowboard.access.passkeys.recovery_routes import RecoveryRoutes
from stowboard.access.passkeys.sign_in_routes import PasskeySignInRoutes
from stowboard.access.sessions.attempts import forget_attempts
from stowboard.access.sessions.door import SessionDoor
from stowboard.access.sessions.session_routes import SessionRoutes
from stowboard.access.sessions.ticket_routes import TicketRoutes
from stowboard.access.settings import AccessSettings
from stowboard.access.spaces.space_store import forget_invitations
from stowboard.access.tokens import forget_expired
from stowboard.access.upstream import identity_routes
from stowboard.access.upstream.provider_routes import ProviderRoutes
from stowboard.access.upstream.request_store import forget_requests
from stowboard.core import clock
from stowboard.core.errors import Problem
from stowboard.core.services import Services
from stowboard.db.database import Database
from stowboard.events.audit import forget_entries
from stowboard.http.exchange import Route
from stowboard.http.origin import Origins
from stowboard.jobs.registry import AnyKind, Job
from stowboard.jobs.schedule import sweep

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


def _oldest_audit(job: Job) -> int:
    return clock.now_ms() - job.use(AccessSettings).audit_days * 24 * 3600 * 1000


JOBS: list[AnyKind] = [MAIL_RESET, MAIL_LETTER, space_routes.EMPTY_SPACE]
PERIODICS = [
    sweep("access.sweep_audit", 3_600_000, forget_entries, _oldest_audit),
    sweep("platform.sweep_tokens", 3_600_000, forget_expired),
    sweep("access.sweep_sessions", 3_600_000, forget_sessions),
    sweep("access.sweep_tickets", 3_600_000, forget_tickets),
    sweep("access.sweep_space_invitations", 3_600_000, forget_invitations),
    sweep("access.sweep_attempts", 3_600_000, forget_attempts),
    sweep("access.sweep_codes", 3_600_000, forget_codes),
    sweep("access.sweep_devices", 3_600_000, forget_devices),
    sweep("access.sweep_refresh_tokens", 3_600_000, forget_refresh_tokens),
    sweep("access.end_grants", 3_600_000, end_expired),
    sweep("access.sweep_grants", 3_600_000, forget_grants),
    sweep("access.sweep_applications", 3_600_000, forget_unused),
    sweep("access.sweep_challenges", 3_600_000, forget_challenges),
    sweep("access.sweep_provider_requests", 3_600_000, forget_requests),
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
