"""Lists of tasks over HTTP."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from stowboard.api.endpoint import Answer, Call, Endpoint, PageMeta
from stowboard.api.paging import Page, given
from stowboard.core.caller import Caller
from stowboard.core.clock import Timestamp
from stowboard.core.errors import InvalidParameter, TooManyItems
from stowboard.core.reach import SpaceOrAll
from stowboard.core.wording import EXPECTED, TEXT_END
from stowboard.db.database import Tx
from stowboard.search.filling import SearchNotReady
from stowboard.search.list_query import ListQuery
from stowboard.tasks.base.document import TaskView
from stowboard.tasks.base.errors import TaskIndexNotActivated
from stowboard.tasks.base.privacy import sees_envelopes
from stowboard.tasks.base.task import FLAGS, ArchivedFilter, Status
from stowboard.tasks.find import asked_owners, find_tasks
from stowboard.tasks.index.listing import TaskFilters, TaskSort, as_json, list_trash
from stowboard.tasks.task_routes import EXAMPLE

#: The caller, as an assignee.
ME = "me"


#: All but those that are done.
OPEN = tuple(status for status in Status if status is not Status.DONE)
_ANY = "|".join(Status)
StatusFilter = Annotated[
    str,
    Meta(
        pattern=f"^(?:open|(?:{_ANY})(?:,(?:{_ANY}))*){TEXT_END}",
        max_length=100,
        description="One status, several with commas, or `open` for all but `done`.",
        extra={EXPECTED: f"{', '.join(Status)}, several of them with commas, or open"},
    ),
]


class TasksQuery(ListQuery, frozen=True, rename="camel"):
    """Filters of a list of tasks; all that are given must hold."""

    status: StatusFilter | UnsetType = UNSET
    archived: Annotated[ArchivedFilter, Meta(description="true includes archived tasks.")] = ArchivedFilter.LEFT_OUT
    board_id: str | UnsetType = UNSET
    space_id: (
        Annotated[SpaceOrAll, Meta(description="By default the board's, else the token's own. `all` is every space.")]
        | UnsetType
    ) = UNSET
    due_before: Annotated[Timestamp, Meta(description="Due earlier than this.")] | UnsetType = UNSET
    due_after: Annotated[Timestamp, Meta(description="Due at this time or later.")] | UnsetType = UNSET
    due: Annotated[Literal["none"], Meta(description="Only tasks without a due date.")] | UnsetType = UNSET
    sort: (
        Annotated[
            TaskSort,
            Meta(
                description="By default `board` with a boardId, the board's own order, else `-createdAt`: newest first."
                " By `dueAt`, tasks without a due date come last."
            ),
        ]
        | UnsetType
    ) = UNSET
    assignee: (
        Annotated[str, Meta(min_length=1, max_length=255, description="A username, or `me`: assigned to them.")]
        | UnsetType
    ) = UNSET
    start_before: Annotated[Timestamp, Meta(description="Starts earlier than this, or has no start.")] | UnsetType = (
        UNSET
    )
    trashed: (
        Annotated[Literal["only"], Meta(description="The trash, latest first; with spaceId, limit and cursor alone.")]
        | UnsetType
    ) = UNSET

    def filters(self, caller: Caller) -> TaskFilters:
        return TaskFilters(
            **self.shared_filters(),
            **({} if self.status is UNSET else _statuses(self.status)),
            archived=FLAGS[self.archived],
            board_id=given(self.board_id),
            due_before=given(self.due_before),
            due_after=given(self.due_after),
            undated=self.due is not UNSET,
            assignee=None if self.assignee is UNSET else _assignee(self.assignee, caller),
            start_before=given(self.start_before),
            sort=self._sort(),
        )

    def _sort(self) -> TaskSort:
        if self.sort is UNSET:
            return TaskSort.NEWEST if self.board_id is UNSET else TaskSort.BOARD
        if self.sort is TaskSort.BOARD and self.board_id is UNSET:
            raise InvalidParameter("sort: board is the order of one board; name it in boardId.")
        return self.sort


async def list_tasks(tx: Tx, call: Call[None, TasksQuery]) -> Answer:
    """List tasks, newest first if no other order is asked for, and those of a board in its order.

    A page may be shorter than its limit although more follow, but is then empty only with `q`: go by `meta.hasMore`.
    """
    space_id, filters = call.query.space_id or None, call.query.filters(call.caller)
    name = "tasks" if call.query.trashed is UNSET else "trash"
    page = Page(call, name, call.caller.owner, space_id, filters)
    owners = await asked_owners(tx, call.access, space_id, filters.board_id)
    sealed = sees_envelopes(call.caller)
    if call.query.trashed is UNSET:
        wanted = replace(filters, sealed=True) if sealed else filters
        listed = await find_tasks(tx, owners, wanted, page.after, page.size)
    elif filters != TaskFilters():
        raise InvalidParameter("trashed: the trash takes no other filter and no order; leave them out.")
    else:
        listed = await list_trash(tx, owners, page.after, page.size, sealed)
    return page.answer(as_json(listed.items, owners, sealed), listed.end)


def _statuses(text: str) -> dict[str, Any]:
    """One status has an index of its own; all of them are no filter."""
    wanted = OPEN if text == "open" else tuple(status for status in Status if status in text.split(","))
    if len(wanted) == 1:
        return {"status": wanted[0]}
    return {} if len(wanted) == len(Status) else {"statuses": wanted}


def _assignee(name: str, caller: Caller) -> str:
    if name != ME:
        return name
    if caller.person is None:
        raise InvalidParameter("assignee: a token of a space is nobody; name a member.")
    return caller.person


ENDPOINTS = [
    Endpoint(
        "GET", "/taskapp/tasks", list_tasks, list[TaskView], scope="tasks:read", query=TasksQuery, meta=PageMeta,
        errors=[TaskIndexNotActivated, SearchNotReady, TooManyItems], example=[EXAMPLE],
    ),
]  # fmt: skip
