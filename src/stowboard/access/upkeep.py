"""Background work of access: letters, spaces that are emptied, and sweeps."""

from stowboard.access.accounts.letters import MAIL_LETTER, MAIL_UNASKED
from stowboard.access.accounts.reset import MAIL_RESET
from stowboard.access.base.challenges import forget_challenges
from stowboard.access.base.grant_store import end_expired, forget_grants
from stowboard.access.base.session_store import forget_sessions
from stowboard.access.base.tickets import forget_tickets
from stowboard.access.oauth.applications.application_store import forget_unused
from stowboard.access.oauth.grants.code_store import forget_codes
from stowboard.access.oauth.grants.device_store import forget_devices
from stowboard.access.oauth.grants.refresh_store import forget_refresh_tokens
from stowboard.access.owners import Owners
from stowboard.access.sessions.attempts import forget_attempts
from stowboard.access.settings import AccessSettings
from stowboard.access.spaces.emptying import EMPTY_SPACE
from stowboard.access.spaces.space_store import forget_departures, forget_invitations
from stowboard.access.tokens import forget_expired
from stowboard.access.upstream.request_store import forget_requests
from stowboard.core import clock
from stowboard.events.audit import forget_entries
from stowboard.jobs.registry import AnyKind, Job
from stowboard.jobs.schedule import sweep


def _oldest_audit(job: Job) -> int:
    return clock.now_ms() - job.use(AccessSettings).audit_days * 24 * 3600 * 1000


JOBS: list[AnyKind] = [MAIL_RESET, MAIL_LETTER, MAIL_UNASKED, EMPTY_SPACE]
PERIODICS = [
    sweep("access.sweep_audit", 3_600_000, forget_entries, _oldest_audit),
    sweep("platform.sweep_tokens", 3_600_000, forget_expired),
    sweep("access.sweep_sessions", 3_600_000, forget_sessions),
    sweep("access.sweep_tickets", 3_600_000, forget_tickets),
    sweep("access.sweep_space_invitations", 3_600_000, forget_invitations),
    sweep("access.sweep_space_departures", 3_600_000, forget_departures),
    sweep("access.sweep_attempts", 3_600_000, forget_attempts),
    sweep("access.sweep_codes", 3_600_000, forget_codes),
    sweep("access.sweep_devices", 3_600_000, forget_devices),
    sweep("access.sweep_refresh_tokens", 3_600_000, forget_refresh_tokens),
    sweep("access.end_grants", 3_600_000, end_expired, lambda job: job.use(Owners)),
    sweep("access.sweep_grants", 3_600_000, forget_grants),
    sweep("access.sweep_applications", 3_600_000, forget_unused),
    sweep("access.sweep_challenges", 3_600_000, forget_challenges),
    sweep("access.sweep_provider_requests", 3_600_000, forget_requests),
]
