"""What happened, as rows in the transaction in which it happened: an event exists exactly if its effect does.

Events are thin: they name what changed and carry none of a task's text, so nothing has to be taken back from them.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from stowboard.core import clock
from stowboard.core.ids import new_id
from stowboard.db.database import Tx, Write

#: The channel of those who wait for events of this process.
WRITTEN = "events.written"


async def emit(
    tx: Tx, kind: str, owner: str, subject: str, data: dict[str, Any], together_with: Sequence[Write] = ()
) -> None:
    """Record that something happened to the subject, a resource of the owner, which must be held for it by now.

    Other writes can be given along, to be made in the same trip (see Tx.run_together).
    """
    sql = (
        "INSERT INTO event (id, type, owner, subject, data, created_at, position)"
        " VALUES ($1, $2, $3, $4, $5, $6, (SELECT position FROM next_position))"
    )
    args = (new_id("evt"), kind, owner, subject, msgspec.json.encode(data), clock.now_ms())
    if together_with:
        await tx.run_together([*together_with, (sql, args)])
    else:
        await tx.run(sql, *args)
    tx.wake(WRITTEN)
