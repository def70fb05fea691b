"""Opens the database that the settings name. The driver of the other one is never imported."""

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import msgspec

from stowboard.core.settings.declared import Setting
from stowboard.core.settings.values import between
from stowboard.db.database import Database

_SQLITE = "sqlite:///"
_POSTGRES = ("postgresql://", "postgres://")


class DatabaseSettings(msgspec.Struct, frozen=True):
    #: `sqlite:///relative/path`, `sqlite:////absolute/path` or `postgresql://user:password@host:port/name`;
    #: the last one may name several servers, `host:port,host:port`, of which one is the primary.
    url: Annotated[str, Setting("database_url", str, default=None)] = "sqlite:///data/stowboard.db"
    #: For statements; one more listens.
    pool_size: Annotated[int, Setting("database_pool_size", between(1, 1000))] = 10
    #: PostgreSQL only: seconds after which a statement is given up.
    statement_timeout: float = 10.0

    @property
    def on_sqlite(self) -> bool:
        return _is_sqlite(self.url)

    @property
    def path(self) -> Path:
        """The path of the SQLite file."""
        return Path(self.url.removeprefix(_SQLITE))

    def validate(self) -> None:
        """Raises ValueError naming the setting that is wrong."""
        if not (_is_sqlite(self.url) or _is_postgres(self.url)):
            raise ValueError(
                "STOWBOARD_DATABASE_URL must be sqlite:///relative/path, sqlite:////absolute/path "
                "or postgresql://user:password@host:port/name."
            )
        if not 1 <= self.pool_size <= 1000:
            raise ValueError("STOWBOARD_DATABASE_POOL_SIZE must be 1 to 1000.")
        if not 0.1 <= self.statement_timeout <= 3600:
            raise ValueError("STOWBOARD_DATABASE_STATEMENT_TIMEOUT must be 0.1 to 3600 seconds.")


async def open_database(settings: DatabaseSettings) -> Database:
    """The caller closes it. If PostgreSQL is away, the first statement fails, not this call."""
    settings.validate()
    if _is_sqlite(settings.url):
        from stowboard.db.sqlite import SqliteDatabase

        return SqliteDatabase(settings.path)
    from stowboard.db.postgres import PostgresDatabase

    return PostgresDatabase(settings.url, settings.pool_size, settings.statement_timeout)


def _is_sqlite(url: str) -> bool:
    return url.startswith(_SQLITE) and Path(url.removeprefix(_SQLITE)).name != ""


def _is_postgres(url: str) -> bool:
    return url.startswith(_POSTGRES) and urlsplit(url).path not in ("", "/")
