"""Open a snapshot of the database that the settings name. The driver of the other one is never imported."""

from contextlib import AbstractAsyncContextManager

from stowboard.db.open import DatabaseSettings
from stowboard.moving.snapshot import Snapshot


def open_snapshot(settings: DatabaseSettings) -> AbstractAsyncContextManager[Snapshot]:
    """The database must exist. Raises DatabaseUnavailable."""
    if settings.on_sqlite:
        from stowboard.moving.snapshot_sqlite import open_sqlite_snapshot

        return open_sqlite_snapshot(settings.path)
    from stowboard.moving.snapshot_postgres import open_postgres_snapshot

    return open_postgres_snapshot(settings.url)
