"""Every endpoint, job and sweep of notifications."""

from stowboard.jobs.registry import AnyKind
from stowboard.jobs.schedule import sweep
from stowboard.notifications import inbox_routes, notification_store

PERIODICS = [sweep("notifications.sweep", 3_600_000, notification_store.forget_old)]
JOBS: list[AnyKind] = [periodic.kind for periodic in PERIODICS]
ENDPOINTS = [*inbox_routes.ENDPOINTS]
