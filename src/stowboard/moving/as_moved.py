"""Rows as they are moved: every column stays the same, except in unfinished uploads.

The bytes of an unfinished upload are parts in one bucket or an unfinished file on one disk, and stay there. Its row is
moved as an expired one, so that the new installation ends it by its own rules: its address has expired, a pending asset
is removed, a video expires. Rows of pieces in a bucket are not moved.

On PostgreSQL, events that have no position yet are moved with the positions that they will get.
"""

from collections.abc import Mapping

from stowboard.moving.catalogue import Dialect, MovedTable

_UNPLACED = "SELECT count(*) FROM event AS earlier WHERE earlier.position IS NULL"
_UPLOADS = {
    ("upload", "expires_at"): "CASE WHEN state = 'open' THEN 0 ELSE expires_at END",
    ("upload", "handle"): "CAST(NULL AS TEXT)",
    ("upload", "holder"): "CAST(NULL AS TEXT)",
}
_EXPRESSIONS: dict[Dialect, dict[tuple[str, str], str]] = {
    "sqlite": {**_UPLOADS, ("feed_head", "position"): "(SELECT position FROM feed)"},
    "postgres": {
        **_UPLOADS,
        ("feed_head", "position"): f"(SELECT position FROM feed) + ({_UNPLACED})",
        ("event", "position"): (
            f"COALESCE(position, (SELECT position FROM feed) + ({_UNPLACED} AND earlier.seq <= event.seq))"
        ),
    },
}
_CONDITIONS = {"upload_piece": "1 = 0"}
#: The same for rows that were copied as they are.
END_UPLOADS = (
    "UPDATE upload SET expires_at = CASE WHEN state = 'open' THEN 0 ELSE expires_at END, handle = NULL, holder = NULL",
    "DELETE FROM upload_piece",
)
#: What keeps an installation from telling anybody: nothing leads out, and no order waits.
TELL_NOBODY = (
    "DELETE FROM webhook",
    "DELETE FROM delivery",
    "DELETE FROM delivery_attempt",
    "DELETE FROM notification_channel",
    "UPDATE account SET email = NULL, email_confirmed_at = NULL, pending_email = NULL",
    "DELETE FROM job WHERE queue IN ('deliver', 'mail', 'notify')",
)


def select_moved(table: MovedTable, columns: Mapping[str, str], dialect: Dialect) -> str:
    """All rows in the order of their key, which is the same in both databases."""
    known = _EXPRESSIONS[dialect]
    expressions = ", ".join(known.get((table.name, column), f'"{column}"') for column in columns)
    return f"SELECT {expressions} {_from(table)} ORDER BY {', '.join(_order(table, dialect))}"


def count_moved(table: MovedTable) -> str:
    return f"SELECT count(*) {_from(table)}"


def _from(table: MovedTable) -> str:
    return f'FROM "{table.name}" WHERE {_CONDITIONS.get(table.name, "1 = 1")}'


def _order(table: MovedTable, dialect: Dialect) -> list[str]:
    """Both databases sort texts by their bytes: SQLite always does, PostgreSQL by COLLATE."""
    return [
        f'"{column}" COLLATE "C"' if dialect == "postgres" and table.columns[column] == "text" else f'"{column}"'
        for column in table.key
    ]
