"""Tells if a name owns tasks or boards already; accounts ask before they give the name to somebody."""

from stowboard.core.reach import LIBRARY
from stowboard.db.database import Tx
from stowboard.tasks.base.errors import NoTasksInLibrary


def check_takes_tasks(owner: str) -> None:
    """Raises NoTasksInLibrary: everybody is in it, so it would tell every username."""
    if owner == LIBRARY:
        raise NoTasksInLibrary


async def is_owner(tx: Tx, name: str) -> bool:
    """True if this name, whatever the case of its letters, owns a task or a board. `name` is in lower case.

    The owners are walked by the index, from each one to the next: as many steps as there are owners, whatever they own.
    """
    return await tx.one(_walk("task"), name) is not None or await tx.one(_walk("board"), name) is not None


def _walk(table: str) -> str:
    return (
        f"WITH RECURSIVE names (owner) AS (SELECT min(owner) FROM {table} UNION ALL"
        f" SELECT (SELECT min({table}.owner) FROM {table} WHERE {table}.owner > names.owner)"
        " FROM names WHERE names.owner IS NOT NULL)"
        " SELECT 1 FROM names WHERE lower(owner) = $1 LIMIT 1"
    )
