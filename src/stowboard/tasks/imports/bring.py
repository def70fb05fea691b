"""Bring in what was planned, part by part: each part is one transaction with its lines of the ledger.

A part is some tasks of a board with their comments, or one file. After a crash the job goes on with the next part, and
nothing is made twice. A repeated import finds tasks by the key from their source, and boards by the board's source.
The job asks at each part whether its person may still write there.
"""

from collections.abc import Iterable, Iterator
from enum import Enum, auto

import msgspec

from stowboard.core.caller import Author
from stowboard.db.database import Tx
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind
from stowboard.tasks.base.library import Library
from stowboard.tasks.imports import import_store
from stowboard.tasks.imports.import_store import FileOfTask, ImportPart, ImportStatus, TaskImport
from stowboard.tasks.imports.part_work import ImportPorts, PartWork
from stowboard.tasks.imports.plan import Plan, PlannedBoard, PlannedTask

#: The tasks and the comments of one part.
_TASKS, _COMMENTS = 50, 500
#: Parts that a job brings before it lets others have its place.
_PARTS = 20
_WAIT_MS = 500


class _Step(Enum):
    NEXT = auto()
    #: A file is on its way.
    WAIT = auto()
    END = auto()


class ImportOrder(msgspec.Struct, frozen=True):
    owner: str
    import_id: str


def parts_of(plan: Plan) -> Iterator[ImportPart]:
    """The parts, in the order of the file; files come last."""
    for board in plan.boards:
        some: list[PlannedTask] = []
        first = True
        for task in board.tasks:
            if some and (len(some) == _TASKS or _comments_of(some) + len(task.comments) > _COMMENTS):
                yield ImportPart(msgspec.structs.replace(board, tasks=some), first)
                some, first = [], False
            some.append(task)
        yield ImportPart(msgspec.structs.replace(board, tasks=some), first)
    for order in (True, False):
        for board in plan.boards:
            head = PlannedBoard(board.source, board.name)
            for task in board.tasks:
                for number, file in enumerate(task.files):
                    yield ImportPart(head, file=FileOfTask(task.source, number, file, order))


def _comments_of(tasks: Iterable[PlannedTask]) -> int:
    return sum(len(task.comments) for task in tasks)


async def bring_later(tx: Tx, owner: str, import_id: str, wait_ms: int = 0) -> None:
    await enqueue(tx, BRING, ImportOrder(owner, import_id), dedup=import_id, wait_ms=wait_ms, owner=owner)


async def bring(job: Job, order: ImportOrder) -> None:
    wait_ms = 0
    for _ in range(_PARTS):
        step = await job.db.transact(_bring_next, job, order.import_id)
        if step is _Step.END:
            return
        if step is _Step.WAIT:
            wait_ms = _WAIT_MS
            break
    await job.db.transact(_go_on_later, job, order, wait_ms)


async def _go_on_later(tx: Tx, job: Job, order: ImportOrder, wait_ms: int) -> None:
    await job.complete(tx)
    await bring_later(tx, order.owner, order.import_id, wait_ms)


async def _bring_next(tx: Tx, job: Job, import_id: str) -> _Step:
    tx.takes_time()
    now = await import_store.lock_any(tx, import_id)
    if now is None or now.status is not ImportStatus.RUNNING:
        await job.complete(tx)
        return _Step.END
    if now.person is not None and not await job.use(ImportPorts).may_edit(tx, now.owner, now.person):
        reason = "Stopped: the person who began it may no longer write in this space."
        return await _end(tx, job, msgspec.structs.replace(now, status=ImportStatus.STOPPED, reason=reason))
    part = await import_store.find_part(tx, import_id, now.next_part)
    if part is None:
        return await _end(tx, job, msgspec.structs.replace(now, status=ImportStatus.DONE))
    tx.author = Author(now.person, now.actor or "", by_program=True)
    work = PartWork(tx, now, job.use(Library), job.use(ImportPorts))
    if part.file is None:
        await work.bring_tasks(part)
    elif not await work.bring_file(part.board, part.file):
        return _Step.WAIT
    await import_store.add_lines(tx, import_id, work.lines)
    await import_store.update(tx, msgspec.structs.replace(now, counts=work.counts, next_part=now.next_part + 1))
    return _Step.NEXT


async def _end(tx: Tx, job: Job, after: TaskImport) -> _Step:
    await import_store.update(tx, after)
    await job.complete(tx)
    return _Step.END


async def _gave_up(tx: Tx, order: ImportOrder) -> None:
    found = await import_store.lock_any(tx, order.import_id)
    if found is not None:
        reason = "It failed several times at the same place. Run it again, or tell the operator."
        await import_store.update(tx, msgspec.structs.replace(found, status=ImportStatus.FAILED, reason=reason))


BRING = JobKind("tasks.import", "imports", bring, args=ImportOrder, gave_up=_gave_up)
