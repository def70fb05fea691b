"""Quick add: a line of text, read as a task of the caller's."""

from collections import Counter

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.errors import ValidationFailed
from stowboard.core.time_zones import WrongTimeZone
from stowboard.db.database import Tx
from stowboard.tasks.base.task import checked_title
from stowboard.tasks.boards import board_store
from stowboard.tasks.quick.names import Boards, NamedBoard, NamedColumn, board_names, normal_name
from stowboard.tasks.quick.read import LineReading, read_quick
from stowboard.tasks.quick.tokenise import tokenise
from stowboard.tasks.wire import CreateBody

#: If an owner has more boards, only the newest are known by name.
MOST_BOARDS = 500
#: Members that a line gives where the body does not; also the due date, and the board with its column.
_SAID = ("status", "reminder", "recurrence", "recurrence_from", "priority")


async def understand(tx: Tx, access: Access, space_id: str | None, text: str, time_zone: str | None) -> LineReading:
    """Read the line as of now, on the wall clock of the zone (UTC by default). Its boards are those of the space.

    Raises ValidationFailed, SpaceNotFound, InsufficientRole.
    """
    title = checked_title(text)
    boards = await _boards_named(tx, access.in_tasks(space_id), title)
    try:
        return read_quick(title, clock.now_ms(), time_zone or "UTC", boards)
    except WrongTimeZone as wrong:
        raise ValidationFailed(f"timeZone: {wrong}") from None


def spelled_out(body: CreateBody, reading: LineReading) -> CreateBody:
    """The body with what its title says in the members for it. What is given there wins; tags are united."""
    said = {name: getattr(reading, name) for name in _SAID if getattr(body, name) is None}
    if (body.due_at, body.due_on) == (None, None):
        said |= {"due_at": reading.due_at, "due_on": reading.due_on}
    if (body.board_id, body.column_id) == (None, None):
        said |= {"board_id": reading.board_id, "column_id": reading.column_id}
    tags = [*reading.tags, *(body.tags or [])]
    return msgspec.structs.replace(body, quick=False, title=reading.title, tags=tags, **said)


async def _boards_named(tx: Tx, owner: str, text: str) -> Boards:
    """The one board that the text names, if it does: by a name that no other board has, or by its id."""
    wanted = set(board_names(tokenise(text)))
    if not wanted:
        return {}
    names = [
        (board_id, name)
        for board_id, board_name in await board_store.find_names(tx, owner, MOST_BOARDS)
        for name in {normal_name(board_name), normal_name(board_id)}
    ]
    times = Counter(name for _, name in names)
    found = [(board_id, name) for board_id, name in names if name in wanted and times[name] == 1]
    if len(found) != 1:
        return {}
    [(board_id, name)] = found
    columns = await board_store.columns_of(tx, owner, board_id)
    return {name: NamedBoard(board_id, [NamedColumn(one.id, one.name, one.status) for one in columns])}
