"""The plan of an import from any program: boards, their columns, and the tasks on them."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PlannedComment:
    #: The name that its author has in the program that it comes from.
    author: str
    body: str
    at: int | None = None


@dataclass(frozen=True, slots=True)
class PlannedFile:
    name: str
    url: str


@dataclass(frozen=True, slots=True)
class PlannedTask:
    #: The id in the program that it comes from; a repeated import finds the task by it.
    source: str
    title: str
    body: str = ""
    done: bool = False
    archived: bool = False
    due_at: int | None = None
    #: The day, such as 2035-12-24, if the date has no time; `due_at` is then late on that day.
    due_on: str | None = None
    start_at: int | None = None
    #: A rule of RFC 5545.
    recurrence: str | None = None
    from_completion: bool = False
    #: A date in words, which the server reads; and the same without its repetition, in case that is not understood.
    due_text: str = ""
    due_once: str = ""
    #: The time zone of the date, if the file names one.
    zone: str | None = None
    priority: int = 0
    tags: tuple[str, ...] = ()
    column: str | None = None
    #: Titles, each with True if the item is done.
    checklist: tuple[tuple[str, bool], ...] = ()
    #: Oldest first.
    comments: tuple[PlannedComment, ...] = ()
    #: Names that its assignees have in the program that it comes from.
    people: tuple[str, ...] = ()
    files: tuple[PlannedFile, ...] = ()


@dataclass(frozen=True, slots=True)
class PlannedBoard:
    source: str
    name: str
    columns: tuple[str, ...] = ()
    tasks: tuple[PlannedTask, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    boards: tuple[PlannedBoard, ...]
    #: Sentences about what is not imported.
    left: tuple[str, ...] = field(default=())

    @property
    def tasks(self) -> int:
        return sum(len(board.tasks) for board in self.boards)
