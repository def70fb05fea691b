"""The resource of an event, as the API's own GET shows it; used by webhooks with `include`."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from stowboard.access.spaces.space_store import find_epochs
from stowboard.api.endpoint import Answer, Call
from stowboard.api.perform import PlainRequest
from stowboard.core.caller import Access, Caller, TokenId, TokenKind
from stowboard.core.errors import NotFound
from stowboard.core.reach import Reach, Role
from stowboard.core.services import Services
from stowboard.db.database import Tx
from stowboard.media.assets.routes import get_asset
from stowboard.media.videos.routes import get_video
from stowboard.tasks.boards.board_routes import get_board
from stowboard.tasks.task_routes import get_task

#: By the prefix of the id: the scope that it needs, and the operation.
_READS: dict[str, tuple[str, Callable[..., Awaitable[Any]]]] = {
    "tsk": ("tasks:read", get_task),
    "brd": ("tasks:read", get_board),
    "ast": ("media:read", get_asset),
    "vid": ("media:read", get_video),
}


class ApiResources:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def find(
        self, tx: Tx, owners: Sequence[str], scopes: frozenset[str], origin: str, subject: str
    ) -> msgspec.Raw | None:
        """The resource as an automation in the spaces of these owners sees it, without what only people may read."""
        scope, read = _READS.get(subject.partition("_")[0], ("", None))
        if read is None or scope not in scopes:
            return None
        epochs = await find_epochs(tx, owners)
        reach = Reach.over(dict.fromkeys(owners, Role.VIEWER), epochs=epochs)
        caller = Caller(TokenId("webhook"), owners[0], scopes, None, TokenKind.AUTOMATION, reach)
        call: Call[None, None] = Call(
            PlainRequest(origin=origin), self._services, Access(caller, Role.VIEWER), None, None
        )
        try:
            found = await read(tx, call, subject)
        except NotFound:
            return None
        return msgspec.Raw(msgspec.json.encode(found.data if isinstance(found, Answer) else found))
