"""Imports in the database: what the file has, what was chosen, the parts still to bring, and the ledger."""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.cursor import Position
from stowboard.core.ids import new_id
from stowboard.core.reach import reached, space_id_of
from stowboard.db.database import Tx
from stowboard.db.made import MadeThings
from stowboard.db.scan import IndexRange, RowPage, Scan, ScanOrder, SqlArguments
from stowboard.db.table import Table, forget_old
from stowboard.tasks.base.task import BoardId
from stowboard.tasks.imports.plan import PlannedBoard, PlannedFile
from stowboard.tasks.imports.read_file import ImportKind

#: The file's parts and the ledger are kept for so long after the last step.
KEPT_MS = 30 * 24 * 3600 * 1000


class ImportStatus(StrEnum):
    READY = "ready"
    RUNNING = "running"
    STOPPED = "stopped"
    DONE = "done"
    FAILED = "failed"


class LineKind(StrEnum):
    BOARD = "board"
    TASK = "task"
    COMMENT = "comment"
    ASSIGNEE = "assignee"
    FILE = "file"
    DATE = "date"
    RECURRENCE = "recurrence"
    BODY = "body"


class LineOutcome(StrEnum):
    MADE = "made"
    PRESENT = "present"
    LEFT_OUT = "leftOut"
    REFUSED = "refused"


class FoundBoard(msgspec.Struct, frozen=True):
    """A board of the file: its id there, its name, the names of its columns, and the number of its tasks."""

    source: str
    name: str
    columns: list[str]
    tasks: int


class FoundInFile(msgspec.Struct, frozen=True, rename="camel"):
    """The content of a file. `present` counts tasks that an earlier import has brought."""

    boards: list[FoundBoard]
    tasks: int
    present: int
    comments: int
    assignees: int
    files: int
    people: list[str]
    left_out: list[str]


class ImportChoices(msgspec.Struct, frozen=True, rename="camel"):
    """`boards` are the sources of those to bring, None for all; `media` the ids here of attachments of an export."""

    people: dict[str, str] = {}
    boards: list[str] | None = None
    fetch_files: bool = False
    media: dict[str, str] = {}


class TaskImport(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    owner: str
    kind: ImportKind
    filename: str
    time_zone: str
    status: ImportStatus
    found: FoundInFile
    choices: ImportChoices
    #: How many things of each kind had each outcome.
    counts: dict[str, dict[str, int]]
    next_part: int
    parts: int
    actor: str | None
    person: str | None
    created_by: str | None
    made_through: str | None
    #: The reason why it stopped or failed.
    reason: str | None
    created_at: int
    updated_at: int

    @property
    def space_id(self) -> str:
        return space_id_of(self.owner)


class ImportLine(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one thing in the file. `subject` is the board, task or asset that it is here."""

    id: str
    source: str
    kind: LineKind
    title: str
    outcome: LineOutcome
    reason: str | None = None
    subject: str | None = None


class FileOfTask(msgspec.Struct, frozen=True):
    """A file, its number in its task, and the task's id elsewhere. It is ordered first, and attached later."""

    task: str
    number: int
    file: PlannedFile
    order: bool


class ImportPart(msgspec.Struct, frozen=True):
    """Tasks of one board, few enough for one transaction; or one file of a task."""

    board: PlannedBoard
    #: True for the first part of its board.
    first: bool = False
    file: FileOfTask | None = None


_IMPORTS = Table("task_import", TaskImport, "found", "choices", "counts")
_LINES = Table("task_import_line", ImportLine)
_OLDEST = ScanOrder(("id",), descending=False)
_IN_REACH = f"id = $1 AND {reached(2)}"
forget_imports = forget_old("task_import", column="updated_at", kept_ms=KEPT_MS)


async def insert(tx: Tx, new: TaskImport, parts: Sequence[ImportPart]) -> None:
    await _IMPORTS.insert(tx, new)
    rows = [(new.id, number, msgspec.json.encode(part)) for number, part in enumerate(parts)]
    await tx.run_many("INSERT INTO task_import_part (import_id, number, content) VALUES ($1, $2, $3)", rows)


async def get(tx: Tx, access: Access, import_id: str, lock: bool = False) -> TaskImport:
    """Raises NotFound, InsufficientRole."""
    found = await _IMPORTS.get(tx, f"{_IN_REACH}{' FOR UPDATE' if lock else ''}", import_id, access.owners)
    access.check(found.owner)
    return found


async def lock_any(tx: Tx, import_id: str) -> TaskImport | None:
    """The import, locked, for its job."""
    return await _IMPORTS.find(tx, "id = $1 FOR UPDATE", import_id)


async def list_imports(tx: Tx, owner: str, after: Position | None, size: int) -> RowPage[TaskImport]:
    """Newest first."""
    return await _IMPORTS.page(tx, after, size, "owner = $1", arguments=(owner,))


async def update(tx: Tx, changed: TaskImport) -> TaskImport:
    after = msgspec.structs.replace(changed, updated_at=clock.now_ms())
    await tx.run(
        "UPDATE task_import SET status = $2, choices = $3, counts = $4, next_part = $5, actor = $6, person = $7,"
        " reason = $8, updated_at = $9, created_by = $10, made_through = $11 WHERE id = $1",
        after.id, after.status, msgspec.json.encode(after.choices).decode(), msgspec.json.encode(after.counts).decode(),
        after.next_part, after.actor, after.person, after.reason, after.updated_at, after.created_by,
        after.made_through,
    )  # fmt: skip
    return after


async def end_made(tx: Tx, made: MadeThings) -> int:
    """Stop running imports after the part that they are at. What they have brought in stays."""
    which, arguments = made.where("owner = {}", first=3)
    return await tx.run(
        f"UPDATE task_import SET status = 'stopped', reason = $1, updated_at = $2 WHERE status = 'running' AND {which}",
        "Stopped: the person or program that ran it may no longer write in this space.", clock.now_ms(), *arguments,
    )  # fmt: skip


async def remove(tx: Tx, import_id: str) -> None:
    await tx.run("DELETE FROM task_import WHERE id = $1", import_id)


async def find_part(tx: Tx, import_id: str, number: int) -> ImportPart | None:
    sql = "SELECT content FROM task_import_part WHERE import_id = $1 AND number = $2"
    row = await tx.one(sql, import_id, number)
    return msgspec.json.decode(row[0], type=ImportPart) if row else None


async def add_lines(tx: Tx, import_id: str, lines: Sequence[ImportLine]) -> None:
    await tx.run_many(
        "INSERT INTO task_import_line (import_id, id, source, kind, title, outcome, reason, subject)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        [(import_id, *msgspec.structs.astuple(line)) for line in lines],
    )


async def remove_lines(tx: Tx, import_id: str) -> None:
    await tx.run("DELETE FROM task_import_line WHERE import_id = $1", import_id)


async def list_lines(
    tx: Tx, import_id: str, outcome: LineOutcome | None, after: Position | None, size: int
) -> RowPage[ImportLine]:
    """The ledger, in the order of the file."""
    chosen = ("import_id = $1",) if outcome is None else ("import_id = $1", "outcome = $2")
    scan = Scan(_LINES.fields, _LINES.read_all, (IndexRange("task_import_line", chosen),), _OLDEST)
    return await scan.page(tx, SqlArguments(import_id, *([] if outcome is None else [outcome])), after, size)


async def find_board(tx: Tx, owner: str, source: str) -> BoardId | None:
    """The board here that an import has made of the board with this id elsewhere."""
    sql = (
        "SELECT b.id FROM task_import_board i JOIN board b ON b.id = i.board_id AND b.owner = i.owner"
        " WHERE i.owner = $1 AND i.source = $2"
    )
    row = await tx.one(sql, owner, source)
    return BoardId(row[0]) if row else None


async def keep_board(tx: Tx, owner: str, source: str, board_id: BoardId) -> None:
    await tx.run(
        "INSERT INTO task_import_board (owner, source, board_id) VALUES ($1, $2, $3)"
        " ON CONFLICT (owner, source) DO UPDATE SET board_id = excluded.board_id",
        owner, source, board_id,
    )  # fmt: skip


def line(
    source: str, kind: LineKind, title: str, outcome: LineOutcome, reason: str | None = None, subject: str | None = None
) -> ImportLine:
    return ImportLine(
        id=new_id("iml"), source=source, kind=kind, title=title, outcome=outcome, reason=reason, subject=subject
    )
