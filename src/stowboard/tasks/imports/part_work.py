"""One part of an import while it is brought in, with its lines of the ledger."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Access, Caller
from stowboard.core.errors import Problem, ServiceUnavailable, ValidationFailed
from stowboard.core.ids import new_id
from stowboard.core.plain_text import plain_line, plain_lines
from stowboard.core.reach import Reach, Role
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.tasks.attachments import checked_attachments
from stowboard.tasks.base import task_store
from stowboard.tasks.base.comment_store import Comment, ImportedFrom
from stowboard.tasks.base.errors import TaskNotFound
from stowboard.tasks.base.library import Library
from stowboard.tasks.base.task import MAX_ASSIGNEES, MAX_TITLE, BoardId, Status, Task, with_extras, written_by
from stowboard.tasks.boards import board_store, boards
from stowboard.tasks.boards.board import MAX_COLUMNS, Column
from stowboard.tasks.boards.move import placed
from stowboard.tasks.create import asked_for, import_tasks
from stowboard.tasks.imports import import_store
from stowboard.tasks.imports.columns import columns_here, place_for
from stowboard.tasks.imports.draft import drafted, key_of
from stowboard.tasks.imports.import_store import FileOfTask, ImportLine, ImportPart, LineKind, LineOutcome, TaskImport
from stowboard.tasks.imports.plan import PlannedBoard, PlannedTask
from stowboard.tasks.keep import keep
from stowboard.tasks.recurrence.series import checked_series
from stowboard.tasks.together.comments import MOST_COMMENTS
from stowboard.tasks.wire import CreateBody

_LONGEST_COMMENT, _LONGEST_NAME = 10_000, 200
#: These have a line of their own, whatever became of them.
_LISTED = (LineKind.BOARD, LineKind.TASK, LineKind.FILE)
_NOT_CHOSEN = "This board was not chosen."
_NOT_HERE = "It was not brought in."
_NOT_FETCHED = "Not fetched. Its address is in the text of the task."


class FetchStatus(StrEnum):
    UNDER_WAY = "under_way"
    READY = "ready"
    FAILED = "failed"


class FetchedFile(NamedTuple):
    id: str
    status: FetchStatus
    reason: str | None


class ImportPorts(Protocol):
    """Other rooms, as an import needs them. Given by the composition root."""

    async def may_edit(self, tx: Tx, owner: str, person: str) -> bool:
        """True if the person's account is not disabled, and they are an editor of the owner's space."""

    async def fetch_later(self, tx: Tx, access: Access, owner: str, url: str, filename: str, source: str) -> None:
        """Have a file fetched. One of this source that is here or under way is not fetched again. Raises Problem."""

    async def find_fetched(self, tx: Tx, owner: str, source: str) -> FetchedFile | None:
        """The latest file of this source."""

    async def read_upload(self, access: Access, upload_id: str, most: int) -> bytes:
        """The bytes of an asset in reach, for its import. Raises NotFound, PayloadTooLarge."""


class PartWork:
    def __init__(self, tx: Tx, importing: TaskImport, library: Library, ports: ImportPorts) -> None:
        self._tx, self._importing, self._library, self._ports = tx, importing, library, ports
        owner, own = importing.owner, importing.person or importing.owner
        reach = Reach.over({own: Role.MANAGER, owner: Role.MANAGER})
        self._access = Access(msgspec.structs.replace(Caller.of_service(own), reach=reach), Role.EDITOR)
        self.lines: list[ImportLine] = []
        self.counts = {kind: dict(outcomes) for kind, outcomes in importing.counts.items()}

    async def bring_tasks(self, part: ImportPart) -> None:
        chosen, board = self._importing.choices.boards, part.board
        if chosen is not None and board.source not in chosen:
            if part.first and board.source:
                self._note(board.source, LineKind.BOARD, board.name, LineOutcome.LEFT_OUT, _NOT_CHOSEN)
            for task in board.tasks:
                self._note_unmade(task, LineOutcome.LEFT_OUT, _NOT_CHOSEN)
            return
        board_id, columns = await self._find_or_make_board(part)
        keys = [key_of(task.source) for task in board.tasks]
        used = await task_store.find_used_keys(self._tx, self._importing.owner, keys)
        buried = await task_store.find_buried_keys(self._tx, self._importing.owner, keys)
        new = []
        for task, key in zip(board.tasks, keys, strict=True):
            if key in used:
                self._note_unmade(task, LineOutcome.PRESENT)
            elif key in buried:
                self._note_unmade(task, LineOutcome.REFUSED, "It was brought in before, and deleted here since.")
            else:
                used.add(key)
                new.append(task)
        await self._make(new, board_id, columns)

    async def bring_file(self, board: PlannedBoard, of_task: FileOfTask) -> bool:
        """Have a file fetched, or attach what was fetched. False if it is still on its way."""
        choices, owner, source = self._importing.choices, self._importing.owner, f"{of_task.task}@{of_task.number}"
        name = plain_line(of_task.file.name)[:_LONGEST_NAME] or "file"
        outcome, reason, subject = LineOutcome.LEFT_OUT, _NOT_FETCHED, None
        if choices.fetch_files and (choices.boards is None or board.source in choices.boards):
            try:
                async with self._tx.savepoint():
                    task = await task_store.lock_by_key(self._tx, owner, key_of(of_task.task))
                    if of_task.order:
                        await self._ports.fetch_later(self._tx, self._access, owner, of_task.file.url, name, source)
                        return True
                    fetched = await self._ports.find_fetched(self._tx, owner, source)
                    if fetched is None or fetched.status is FetchStatus.UNDER_WAY:
                        return fetched is None
                    outcome, reason, subject = await self._attach(task, fetched)
            except TaskNotFound:
                outcome, reason = LineOutcome.REFUSED, "Its task is not here."
            except Problem as problem:
                outcome, reason = LineOutcome.REFUSED, problem.message
        if not of_task.order:
            self._note(source, LineKind.FILE, name, outcome, reason, subject)
        return True

    async def _attach(self, task: Task, fetched: FetchedFile) -> tuple[LineOutcome, str, str | None]:
        if fetched.status is FetchStatus.FAILED:
            return LineOutcome.REFUSED, fetched.reason or "It could not be fetched.", None
        if fetched.id in [each.id for each in task.attachments]:
            return LineOutcome.PRESENT, "", fetched.id
        ids = [*(each.id for each in task.attachments), fetched.id]
        attached = await checked_attachments(self._tx, self._library, self._access, task.owner, ids, task.attachments)
        await keep(self._tx, task, msgspec.structs.replace(task, attachments=attached), kinds.TASK_UPDATED)
        return LineOutcome.MADE, "", fetched.id

    def _note(
        self,
        source: str,
        kind: LineKind,
        title: str,
        outcome: LineOutcome,
        reason: str = "",
        subject: str | None = None,
    ) -> None:
        """Count a thing. What is inside of a task has a line only if there is a reason why it was not brought in."""
        counts = self.counts.setdefault(kind, {})
        counts[outcome] = counts.get(outcome, 0) + 1
        if reason or kind in _LISTED:
            title, reason = plain_line(title)[:MAX_TITLE], plain_line(reason)
            self.lines.append(import_store.line(key_of(source), kind, title, outcome, reason or None, subject))

    def _note_unmade(self, task: PlannedTask, outcome: LineOutcome, reason: str = "") -> None:
        """Count a task that is not made, and all that is in it."""
        self._note(task.source, LineKind.TASK, task.title, outcome, reason)
        for kind, number in ((LineKind.COMMENT, len(task.comments)), (LineKind.ASSIGNEE, len(task.people))):
            for _ in range(number):
                self._note(task.source, kind, task.title, outcome)

    async def _find_or_make_board(self, part: ImportPart) -> tuple[BoardId | None, list[Column]]:
        """The board, locked, with its columns; one that was imported before gets the columns that it lacks."""
        tx, owner, board = self._tx, self._importing.owner, part.board
        if not board.source:
            return None, []
        wanted = columns_here(board.columns)
        board_id = await import_store.find_board(tx, owner, key_of(board.source))
        outcome = LineOutcome.MADE if board_id is None else LineOutcome.PRESENT
        if board_id is None:
            name = plain_line(board.name)[:_LONGEST_NAME].strip() or "Untitled"
            made, _ = await boards.create_board(tx, owner, name, plain_lines(board.description)[:2000], wanted)
            board_id = made.id
            await import_store.keep_board(tx, owner, key_of(board.source), board_id)
        await board_store.lock_board(tx, self._access, board_id, None)
        columns = await board_store.columns_of(tx, owner, board_id)
        here = {column.name.casefold() for column in columns}
        if part.first:
            lacking = [(name, status) for name, status in wanted if name.casefold() not in here]
            for name, status in lacking[: MAX_COLUMNS - len(columns)] if board.columns else ():
                columns.append((await boards.add_column(tx, self._access, board_id, name, status, None))[1])
            self._note(board.source, LineKind.BOARD, board.name, outcome, subject=board_id)
        return board_id, columns

    async def _make(self, planned: Sequence[PlannedTask], board_id: BoardId | None, columns: list[Column]) -> None:
        people = self._importing.choices.people
        names = sorted({people[name] for task in planned for name in task.people if name in people})
        members = await self._library.members_among(self._tx, self._importing.owner, names) if names else set()
        tasks, comments = [], []
        for each in planned:
            try:
                task = self._with_assignees(await self._task(each), each, members)
            except Problem as problem:
                self._note_unmade(each, LineOutcome.REFUSED, problem.message)
                continue
            status, column = place_for(columns, each.column, each.status) if board_id else (task.status, None)
            spoken = self._comments(task, each)
            tasks.append(self._as_new(placed(_with_comments(task, len(spoken)), status, column, ""), each.archived))
            comments += spoken
            self._note(each.source, LineKind.TASK, task.title, LineOutcome.MADE, subject=task.id)
        if tasks and await import_tasks(self._tx, self._importing.owner, tasks, comments) < len(tasks):
            raise ServiceUnavailable("Somebody has just made one of these tasks; the part is tried again.")

    def _as_new(self, task: Task, archived: bool) -> Task:
        now = clock.now_ms()
        completed_at = now if task.status is Status.DONE else None
        return msgspec.structs.replace(
            written_by(task, self._tx.author, new=True), created_at=now, updated_at=now, completed_at=completed_at,
            version=1, shelf=int(archived),
        )  # fmt: skip

    async def _task(self, planned: PlannedTask) -> Task:
        """The task as it will be made, on no board, without assignees. Raises Problem."""
        body, left_out = drafted(planned, self._importing.time_zone)
        for each in left_out:
            self._note(each.source, each.kind, each.title, each.outcome, each.reason or "")
        try:
            task = self._checked(body, planned)
        except ValidationFailed as problem:
            if body.recurrence is None or not problem.message.startswith("recurrence"):
                raise
            self._note(planned.source, LineKind.RECURRENCE, body.title, LineOutcome.LEFT_OUT, problem.message)
            task = self._checked(msgspec.structs.replace(body, recurrence=None, recurrence_from=None), planned)
        media = self._importing.choices.media
        ids = [media[each] for each in planned.attachments if each in media]
        attachments = await checked_attachments(self._tx, self._library, self._access, task.owner, ids) if ids else []
        for _ in ids:
            self._note(planned.source, LineKind.FILE, task.title, LineOutcome.MADE)
        for each_id in planned.attachments:
            if each_id not in media:
                self._note(f"{planned.source}@{each_id}", LineKind.FILE, task.title, LineOutcome.LEFT_OUT, _NOT_HERE)
        return msgspec.structs.replace(task, attachments=attachments)

    def _checked(self, body: CreateBody, planned: PlannedTask) -> Task:
        task = asked_for(self._access.caller, self._importing.owner, body)
        return checked_series(msgspec.structs.replace(task, status=planned.status or task.status))

    def _with_assignees(self, task: Task, planned: PlannedTask, members: set[str]) -> Task:
        people = self._importing.choices.people
        chosen: list[str] = []
        for name in planned.people:
            username, reason = people.get(name), f"Nobody was chosen for {plain_line(name)[:_LONGEST_NAME]}."
            if username is not None and username not in members:
                username, reason = None, f"{username} is no member of the space."
            if username is None or len(chosen) == MAX_ASSIGNEES:
                self._note(planned.source, LineKind.ASSIGNEE, task.title, LineOutcome.LEFT_OUT, reason)
            else:
                chosen.append(username)
                self._note(planned.source, LineKind.ASSIGNEE, task.title, LineOutcome.MADE)
        return with_extras(task, assignees=list(dict.fromkeys(chosen))) if chosen else task

    def _comments(self, task: Task, planned: PlannedTask) -> list[Comment]:
        """The comments, which say who wrote them elsewhere: nobody speaks in another person's name."""
        made, people, person = [], self._importing.choices.people, self._importing.person
        for number, each in enumerate(planned.comments):
            body = plain_lines(each.body)[:_LONGEST_COMMENT]
            if not body or number >= MOST_COMMENTS:
                reason = "It is empty." if not body else f"A task has at most {MOST_COMMENTS:,} comments."
                self._note(f"{planned.source}#{number}", LineKind.COMMENT, task.title, LineOutcome.LEFT_OUT, reason)
                continue
            author = plain_line(people.get(each.author, each.author))[:_LONGEST_NAME] or "somebody"
            made.append(
                Comment(
                    id=new_id("cmt"), subject=task.id, author=person, body=body, mentions=[],
                    imported=ImportedFrom(author, each.at), actor=self._importing.actor, created_at=clock.now_ms(),
                )
            )  # fmt: skip
            self._note(planned.source, LineKind.COMMENT, task.title, LineOutcome.MADE)
        return made


def _with_comments(task: Task, count: int) -> Task:
    return with_extras(task, comment_count=count) if count else task
