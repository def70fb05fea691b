"""Every operation of tasks and boards, and the jobs behind them."""

import dataclasses

from stowboard.api.endpoint import AnyEndpoint
from stowboard.jobs.registry import AnyKind
from stowboard.jobs.schedule import sweep
from stowboard.tasks import (
    batch_routes,
    checklist_routes,
    comment_routes,
    list_routes,
    quick_routes,
    tag_routes,
    task_routes,
)
from stowboard.tasks.archive import PURGE
from stowboard.tasks.attachments import DETACH
from stowboard.tasks.base.task_store import forget_graves
from stowboard.tasks.boards import board_routes
from stowboard.tasks.calendar import routes as calendar_routes
from stowboard.tasks.imports import routes as import_routes
from stowboard.tasks.reminders import REMIND
from stowboard.tasks.tag_routes import RENAMING
from stowboard.tasks.together.leaving import UNASSIGN
from stowboard.tasks.vault import routes as vault_routes

_PREFIX = "/taskapp"
#: `/tasks` is another name for the caller's tasks, kept for clients that know it.
_ALIASED = ("/taskapp/tasks", "/taskapp/task-index")


def _alias(endpoint: AnyEndpoint) -> AnyEndpoint:
    return dataclasses.replace(endpoint, path=endpoint.path.removeprefix(_PREFIX), alias_of=endpoint.path)


_OWN = [
    *list_routes.ENDPOINTS,
    *task_routes.ENDPOINTS,
    *checklist_routes.ENDPOINTS,
    *comment_routes.ENDPOINTS,
    *quick_routes.ENDPOINTS,
    *batch_routes.ENDPOINTS,
    *tag_routes.ENDPOINTS,
    *board_routes.ENDPOINTS,
    *calendar_routes.ENDPOINTS,
    *vault_routes.ENDPOINTS,
    *import_routes.ENDPOINTS,
]
ENDPOINTS = [*_OWN, *(_alias(endpoint) for endpoint in _OWN if endpoint.path.startswith(_ALIASED))]
PERIODICS = [sweep("tasks.sweep_keys", 600_000, forget_graves), PURGE, *import_routes.PERIODICS]
JOBS: list[AnyKind] = [REMIND, DETACH, UNASSIGN, RENAMING.job, *import_routes.JOBS]
