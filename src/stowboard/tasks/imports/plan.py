"""The plan of an import from any program: boards, their columns, and the tasks on them.

Readers make it; their texts are as they stand in the file. `bring` cuts and cleans them where tasks are made.
"""

import msgspec

from stowboard.tasks.base.task import FurtherReminder, Status


class PlannedComment(msgspec.Struct, frozen=True):
    #: The name that its author has in the program that it comes from.
    author: str
    body: str
    at: int | None = None


class PlannedFile(msgspec.Struct, frozen=True):
    name: str
    url: str


class PlannedTask(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    #: The id in the program that it comes from; a repeated import finds the task by it.
    source: str
    title: str
    body: str = ""
    #: None lets the column decide.
    status: Status | None = None
    archived: bool = False
    due_at: int | None = None
    #: A day without a time.
    due_on: str | None = None
    start_at: int | None = None
    reminder: int | None = None
    reminders: list[FurtherReminder] = []
    #: A rule of RFC 5545.
    recurrence: str | None = None
    from_completion: bool = False
    #: A date in words; and the same without its repetition, in case that is not understood.
    due_text: str = ""
    due_once: str = ""
    #: The time zone of the date, if the file names one.
    zone: str | None = None
    priority: int = 0
    tags: list[str] = []
    metadata: dict[str, str] = {}
    column: str | None = None
    #: Titles, each with True if the item is done.
    checklist: list[tuple[str, bool]] = []
    #: Oldest first.
    comments: list[PlannedComment] = []
    #: Names that its assignees have in the program that it comes from.
    people: list[str] = []
    files: list[PlannedFile] = []
    #: Ids that its attachments have in another installation.
    attachments: list[str] = []
    #: Parts that cannot be brought in, with the reason.
    left_out: list[tuple[str, str]] = []


class PlannedColumn(msgspec.Struct, frozen=True):
    name: str
    #: None lets the name decide.
    status: Status | None = None


class PlannedBoard(msgspec.Struct, frozen=True, rename="camel"):
    #: Empty for tasks that are on no board.
    source: str
    name: str
    columns: list[PlannedColumn] = []
    tasks: list[PlannedTask] = []
    description: str = ""


class Plan(msgspec.Struct, frozen=True, rename="camel"):
    boards: list[PlannedBoard]
    #: Sentences about what the file has and an import leaves out.
    left_out: list[str] = []


def columns_named(names: list[str]) -> list[PlannedColumn]:
    return [PlannedColumn(name) for name in names]
