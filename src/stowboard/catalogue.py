"""Lists every endpoint, event and job that the service has."""

from stowboard import finding, job_routes
from stowboard.access import routes as access_routes
from stowboard.access import upkeep as access_upkeep
from stowboard.access.scopes import SCOPES
from stowboard.addresses import ADDRESSES
from stowboard.api import idempotency, tag_renames
from stowboard.api.documents import discovery
from stowboard.api.documents.catalogue import Area, Catalogue, EventKindText, every_problem
from stowboard.deliveries import upkeep as delivery_upkeep
from stowboard.events import event_routes, retention
from stowboard.events.changes import routes as change_routes
from stowboard.events.kinds import KINDS
from stowboard.events.wire import EventView, sample
from stowboard.jobs.registry import AnyKind
from stowboard.media import routes as media_routes
from stowboard.media.base.errors import PROBLEMS as MEDIA_PROBLEMS
from stowboard.notifications import routes as notification_routes
from stowboard.notifications import upkeep as notification_upkeep
from stowboard.tasks import routes as task_routes
from stowboard.webhooks import routes as webhook_routes

AREAS = [
    Area("Uploads", "Bytes, inline or by a pre-signed address.", ("/media/upload",)),
    Area("Videos", "Resumable upload, and playback.", ("/media/videos",)),
    Area("Assets", "Images and files: list, change, replace, deliver.", ("/media/assets", "/media")),
    Area("Tasks", "The owner's tasks: create, list, change, move, complete, archive.", ("/taskapp/tasks", "/tasks")),
    Area("Boards", "Columns and the tasks in them.", ("/taskapp/boards",)),
    Area("Calendar", "Dated tasks, for calendar programs.", ("/taskapp/calendar",)),
    Area("Vault keys", "Wrapped keys of sealed bodies.", ("/taskapp/vault-keys",)),
    Area("Task index", "Activation of lists, and tags.", ("/taskapp/task-index", "/taskapp/tags", "/task-index")),
    Area("Imports", "Boards and tasks from other programs.", ("/imports",)),
    Area("Search", "Words, in tasks, assets and videos at once.", ("/search",)),
    Area("Changes", "The history of tasks and media, and undo.", ("/changes",)),
    Area("Events", "What happens, as a feed and as a stream.", ("/events",)),
    Area("Notifications", "What a person is told, and where.", ("/notifications",)),
    Area("Webhooks", "Events, sent to addresses of one's choice.", ("/webhooks",)),
    Area("Spaces", "People who share tasks and media, and their roles.", ("/spaces", "/access/spaces")),
    Area(
        "People",
        "Accounts, invitations, oneself, and the audit log.",
        ("/access/me", "/access/accounts", "/access/invitations", "/access/audit"),
    ),
    Area("Jobs", "Background work, for admins.", ("/jobs",)),
    Area("Access", "Tokens and OAuth clients, for admins.", ("/access",)),
    Area("Discovery", "Where everything is described.", ("/",)),
]
ENDPOINTS = [
    *discovery.ENDPOINTS,
    *access_routes.ENDPOINTS,
    *media_routes.ENDPOINTS,
    *task_routes.ENDPOINTS,
    *finding.ENDPOINTS,
    *job_routes.ENDPOINTS,
    *event_routes.ENDPOINTS,
    *change_routes.ENDPOINTS,
    *webhook_routes.ENDPOINTS,
    *notification_routes.ENDPOINTS,
]
WEBHOOKS = [
    EventKindText(kind.name, kind.scope, kind.summary, EventView, kind.data, sample(kind)) for kind in KINDS
]  # fmt: skip
OUTSIDE = [*MEDIA_PROBLEMS, *access_routes.PROBLEMS]
CATALOGUE = Catalogue(ENDPOINTS, every_problem(ENDPOINTS, OUTSIDE), SCOPES, AREAS, WEBHOOKS, ADDRESSES)
SWEEPS = [
    *idempotency.PERIODICS, *tag_renames.PERIODICS, *retention.PERIODICS, *change_routes.PERIODICS,
    *access_upkeep.PERIODICS, *task_routes.PERIODICS, *finding.PERIODICS,
]  # fmt: skip
JOBS: list[AnyKind] = [
    *access_upkeep.JOBS, *media_routes.JOBS, *task_routes.JOBS, *delivery_upkeep.JOBS, *finding.JOBS,
    *notification_upkeep.JOBS, *(sweep.kind for sweep in SWEEPS),
]  # fmt: skip
PERIODICS = [*SWEEPS, *media_routes.PERIODICS, *delivery_upkeep.PERIODICS, *notification_upkeep.PERIODICS]
QUEUES = sorted({kind.queue for kind in JOBS})
#: Tables to which people and programs add rows without end, and what bounds them: beyond it the oldest rows go first.
#: docs/operations.md has this table, too. A token adds at most 600 rows a minute, as its rate limit has it.
GROWING = {
    "audit": "`audit_days`",
    "change": "`history_days`",
    "delivery": "`event_days`",
    "delivery_attempt": "`event_days`",
    "event": "`event_days`",
    "idempotency": "24 hours, and 64 MiB for each token",
    "job_progress": "7 days",
    "notification": "90 days",
    "oauth_code": "1 day after their end",
    "oauth_device": "1 day after their end",
    "session": "7 days after their end",
    "sign_in_attempt": "1 hour after the last one",
    "task_key_grave": "24 hours",
    "ticket": "7 days after their end",
}
