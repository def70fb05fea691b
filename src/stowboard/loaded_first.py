"""The operations and jobs that every server has from its start.

The rooms of all others are loaded at their first use, so that an idle server stays small: the operations in
catalogue.py that are not here, and the routes in late_routes.py.
"""

from stowboard import finding
from stowboard.access import upkeep as access_upkeep
from stowboard.api import idempotency, tag_renames
from stowboard.events import event_routes, retention
from stowboard.events.changes import routes as change_routes
from stowboard.events.webhooks import upkeep as webhook_upkeep
from stowboard.jobs.registry import AnyKind
from stowboard.media import routes as media_routes
from stowboard.notifications import upkeep as notification_upkeep
from stowboard.tasks import routes as task_routes

FIRST_ENDPOINTS = [
    *media_routes.ENDPOINTS,
    *task_routes.ENDPOINTS,
    *finding.ENDPOINTS,
    *event_routes.ENDPOINTS,
    *change_routes.ENDPOINTS,
]
SWEEPS = [
    *idempotency.PERIODICS, *tag_renames.PERIODICS, *retention.PERIODICS, *change_routes.PERIODICS,
    *access_upkeep.PERIODICS, *task_routes.PERIODICS, *finding.PERIODICS,
]  # fmt: skip
JOBS: list[AnyKind] = [
    *access_upkeep.JOBS, *media_routes.JOBS, *task_routes.JOBS, *webhook_upkeep.JOBS, *finding.JOBS,
    *notification_upkeep.JOBS, *(sweep.kind for sweep in SWEEPS),
]  # fmt: skip
PERIODICS = [*SWEEPS, *media_routes.PERIODICS, *webhook_upkeep.PERIODICS, *notification_upkeep.PERIODICS]
QUEUES = sorted({kind.queue for kind in JOBS})
