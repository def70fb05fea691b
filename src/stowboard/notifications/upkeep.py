"""Background work of notifications: sending, quiet hours and sweeps."""

from stowboard.jobs.registry import AnyKind
from stowboard.jobs.schedule import sweep
from stowboard.notifications import channel_store, notification_store, quiet, send

_SWEEPS = [
    sweep("notifications.sweep", 3_600_000, notification_store.forget_old),
    sweep("notifications.sweep_browsers", 3_600_000, channel_store.forget_unseen),
]
PERIODICS = [*_SWEEPS, *quiet.PERIODICS]
JOBS: list[AnyKind] = [*send.JOBS, *quiet.JOBS, *(periodic.kind for periodic in _SWEEPS)]
