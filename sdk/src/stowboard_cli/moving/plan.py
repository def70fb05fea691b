"""The plan of an import from any program: boards, their columns, and the tasks on them."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PlannedTask:
    #: The id in the program that it comes from; a repeated import finds the task by it.
    source: str
    title: str
    body: str = ""
    done: bool = False
    archived: bool = False
    due_at: int | None = None
    #: A date in words for the server to read; and the same without its repetition, for when that is not understood.
    due_text: str = ""
    due_once: str = ""
    #: The time zone of the date, if the file names one.
    zone: str | None = None
    priority: int = 0
    tags: tuple[str, ...] = ()
    column: str | None = None
    attachments: int = 0


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
