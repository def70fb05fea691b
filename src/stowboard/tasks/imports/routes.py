"""Imports over HTTP: look at a file of another program, choose, bring it in, and read what became of it."""

import asyncio
from typing import Annotated, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.api.endpoint import MEBIBYTE, Answer, Call, Deleted, Endpoint, PageMeta, view_of
from stowboard.api.forms import FormFile
from stowboard.api.paging import Page, PageQuery
from stowboard.api.time_zones import TimeZones
from stowboard.core import clock
from stowboard.core.errors import Conflict, NotFound, PayloadTooLarge, TooManyItems, ValidationFailed
from stowboard.core.ids import LONGEST_ID, checked_id, new_id
from stowboard.core.reach import SpaceId
from stowboard.core.time_zones import WrongTimeZone, check_time_zone
from stowboard.db.database import Database, Tx
from stowboard.jobs.registry import AnyKind
from stowboard.jobs.schedule import sweep
from stowboard.tasks.base import task_store
from stowboard.tasks.imports import import_store
from stowboard.tasks.imports.bring import BRING, bring_later, parts_of
from stowboard.tasks.imports.draft import key_of
from stowboard.tasks.imports.import_store import (
    FoundBoard,
    FoundInFile,
    ImportChoices,
    ImportLine,
    ImportStatus,
    LineOutcome,
    TaskImport,
)
from stowboard.tasks.imports.part_work import ImportPorts
from stowboard.tasks.imports.plan import Plan
from stowboard.tasks.imports.read_file import MOST_BOARDS, FileNotUnderstood, ImportKind, read_file
from stowboard.tasks.wire import Zone

#: One at a time in this process: reading takes memory and a thread.
_READING = asyncio.Semaphore(1)
_KEYS_AT_ONCE = 500
_MOST_INLINE = 15 * MEBIBYTE // 2
_MOST_UPLOADED = 64 * MEBIBYTE
_Filename = Annotated[str, Meta(min_length=1, max_length=255, description="It names the board of a calendar.")]
_UploadId = Annotated[str, Meta(max_length=LONGEST_ID, description="An asset with the bytes, up to 64 MiB.")]
_File = Annotated[bytes, Meta(max_length=_MOST_INLINE, description="The bytes in base64, up to 7.5 MiB.")]
_Text = Annotated[str, Meta(max_length=1000)]
_People = Annotated[dict[_Text, _Text], Meta(max_length=1000, description="Usernames here, by the names in the file.")]
_MediaHere = Annotated[
    dict[_Text, _Text],
    Meta(max_length=100_000, description="Of `stow export`: the ids here, by those in the file."),
]
_Boards = Annotated[list[_Text], Meta(max_length=MOST_BOARDS, description="The `source` of each board to bring.")]


class ImportBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A file of another program: its bytes, or the id of an upload that has arrived."""

    file: _File | None = None
    upload_id: (
        Annotated[str, Meta(max_length=LONGEST_ID, description="An asset with the bytes, up to 64 MiB.")] | None
    ) = None
    filename: _Filename
    kind: Annotated[ImportKind, Meta(description="The program; by default the file's look tells.")] | None = None
    time_zone: Annotated[Zone, Meta(description="Of dates that name none; by default the person's.")] | None = None
    space_id: SpaceId | None = None
    EITHER: ClassVar = ("file", "uploadId")


class RunImportBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What to bring in. What is left out keeps the choice of the run before, at first: all boards, no people."""

    people: _People | None = None
    boards: _Boards | None = None
    fetch_files: Annotated[bool, Meta(description="Have the server fetch attachments.")] | None = None
    media: _MediaHere | None = None


class ImportView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An import. `found` is what the file has, `counts` what became of it, by kind and outcome."""

    id: str
    space_id: str
    kind: ImportKind
    filename: str
    time_zone: str
    status: ImportStatus
    found: FoundInFile
    choices: ImportChoices
    counts: dict[str, dict[str, int]]
    next_part: Annotated[int, Meta(description="How many of `parts` are done.")]
    parts: int
    reason: Annotated[str | None, Meta(description="Why it stopped or failed.")]
    created_at: int
    updated_at: int


class ImportsQuery(PageQuery, frozen=True, rename="camel"):
    space_id: SpaceId | UnsetType = UNSET


class ImportLinesQuery(PageQuery, frozen=True):
    outcome: LineOutcome | UnsetType = UNSET


async def begin_import(tx: Tx, call: Call[ImportBody, None], read: tuple[ImportKind, str, Plan]) -> Answer:
    """Look at a file of another program: what it has, and what an import would make. Nothing is made yet.

    Trello (the JSON of a board), Todoist (a project's CSV, or the JSON of its sync API), Vikunja (the ZIP of its data
    export), calendars (.ics) and `stow export` are read. Then run it.
    """
    owner, (kind, zone, plan), now = call.access.in_tasks(call.body.space_id), read, clock.now_ms()
    parts = list(parts_of(plan))
    begun = TaskImport(
        id=new_id("imp"), owner=owner, kind=kind, filename=call.body.filename, time_zone=zone,
        status=ImportStatus.READY, found=await _found(tx, owner, plan), choices=ImportChoices(), counts={}, next_part=0,
        parts=len(parts), actor=None, person=None, created_by=None, made_through=None, reason=None,
        created_at=now, updated_at=now,
    )  # fmt: skip
    await import_store.insert(tx, begun, parts)
    return Answer(_view(begun), headers=(("location", f"{call.origin}/api/v1/imports/{begun.id}"),))


async def _read(call: Call[ImportBody, None]) -> tuple[ImportKind, str, Plan]:
    body = call.body
    call.access.in_tasks(body.space_id)
    if (body.file is None) == (body.upload_id is None):
        raise ValidationFailed("file: send either the bytes, or the uploadId of an upload that has arrived.")
    zone = body.time_zone or await call.use(Database).read(_own_zone, call) or "UTC"
    try:
        check_time_zone(zone)
    except WrongTimeZone as wrong:
        raise ValidationFailed(f"timeZone: {wrong}") from None
    content = body.file
    if content is None:
        assert body.upload_id is not None
        content = await call.use(ImportPorts).read_upload(call.access, body.upload_id, _MOST_UPLOADED)
    async with _READING:
        kind, plan = await asyncio.to_thread(read_file, content, body.filename, body.kind, zone)
    return kind, zone, plan


async def _own_zone(tx: Tx, call: Call[ImportBody, None]) -> str | None:
    return await call.use(TimeZones).find_time_zone(tx, call.caller.owner)


async def _found(tx: Tx, owner: str, plan: Plan) -> FoundInFile:
    tasks = [task for board in plan.boards for task in board.tasks]
    keys = [key_of(task.source) for task in tasks]
    used: set[str] = set()
    for start in range(0, len(keys), _KEYS_AT_ONCE):
        used |= await task_store.find_used_keys(tx, owner, keys[start : start + _KEYS_AT_ONCE])
    names = {name for task in tasks for name in (*task.people, *(comment.author for comment in task.comments))}
    boards = [
        FoundBoard(board.source, board.name, [column.name for column in board.columns], len(board.tasks))
        for board in plan.boards
        if board.source
    ]
    return FoundInFile(
        boards=boards, tasks=len(tasks), present=sum(key in used for key in keys),
        comments=sum(len(task.comments) for task in tasks), assignees=sum(len(task.people) for task in tasks),
        files=sum(len(task.files) + len(task.attachments) for task in tasks), people=sorted(names)[:1000],
        left_out=plan.left_out,
    )  # fmt: skip


async def list_imports(tx: Tx, call: Call[None, ImportsQuery]) -> Answer:
    """List the imports of a space, newest first. They are kept for 30 days."""
    owner = call.access.in_tasks(call.query.space_id or None)
    page = Page(call, "imports", owner)
    listed = await import_store.list_imports(tx, owner, page.after, page.size)
    return page.answer([_view(each) for each in listed.items], listed.end)


async def get_import(tx: Tx, call: Call[None, None], import_id: str) -> ImportView:
    """Read an import: what the file has, and how far it is."""
    return _view(await import_store.get(tx, call.access, checked_id("imp", import_id)))


async def run_import(tx: Tx, call: Call[RunImportBody, None], import_id: str) -> ImportView:
    """Bring in what the file has. It is done after the answer, part by part; read the import to see how far it is.

    Run it again to go on after a stop or a failure, or to bring in again what was left out: nothing is made twice.
    """
    before = await import_store.get(tx, call.access, checked_id("imp", import_id), lock=True)
    if before.status is ImportStatus.RUNNING:
        raise Conflict("The import runs already. Stop it first to change what it brings in.")
    given = {name: value for name, value in msgspec.structs.asdict(call.body).items() if value is not None}
    goes_on = before.status in (ImportStatus.STOPPED, ImportStatus.FAILED) and not given
    token_id, _, door, person = call.author.words.split(" ", 3)
    after = msgspec.structs.replace(
        before,
        status=ImportStatus.RUNNING,
        choices=msgspec.structs.replace(before.choices, **given),
        reason=None,
        actor=f"{token_id} {before.id} {door} {person}",
        person=call.author.person,
        created_by=call.caller.owner,
        made_through=call.caller.through,
        next_part=before.next_part if goes_on else 0,
        counts=before.counts if goes_on else {},
    )
    if not goes_on:
        await import_store.remove_lines(tx, before.id)
    after = await import_store.update(tx, after)
    await bring_later(tx, before.owner, before.id)
    return _view(after)


async def stop_import(tx: Tx, call: Call[None, None], import_id: str) -> ImportView:
    """Stop an import after the part that it is at. What was brought in stays."""
    found = await import_store.get(tx, call.access, checked_id("imp", import_id), lock=True)
    if found.status is not ImportStatus.RUNNING:
        return _view(found)
    return _view(await import_store.update(tx, msgspec.structs.replace(found, status=ImportStatus.STOPPED)))


async def delete_import(tx: Tx, call: Call[None, None], import_id: str) -> Deleted:
    """Forget an import, with its ledger. The boards and tasks that it has made stay."""
    found = await import_store.get(tx, call.access, checked_id("imp", import_id), lock=True)
    if found.status is ImportStatus.RUNNING:
        raise Conflict("The import runs. Stop it first.")
    await import_store.remove(tx, found.id)
    return Deleted(found.id)


async def list_import_lines(tx: Tx, call: Call[None, ImportLinesQuery], import_id: str) -> Answer:
    """List what became of each board, task and file, and of all else that was not brought in, in the file's order."""
    found, query = await import_store.get(tx, call.access, checked_id("imp", import_id)), call.query
    page = Page(call, "import-lines", found.id, query.outcome or None)
    listed = await import_store.list_lines(tx, found.id, query.outcome or None, page.after, page.size)
    return page.answer(listed.items, listed.end)


def _view(each: TaskImport) -> ImportView:
    return view_of(ImportView, each)


_ID, _TASK = "imp_01kbr2x4q8e9w6y3t7n5m1c0vz", "tsk_01kbr2x4q8e9w6y3t7n5m1c0vz"
_EXAMPLE = {
    "id": _ID, "spaceId": "~alice", "kind": "trello", "filename": "garden.json", "timeZone": "Europe/Berlin",
    "status": "ready",
    "found": {
        "boards": [{"source": "trello:b1", "name": "Garden", "columns": ["Ideas", "Doing", "Done"], "tasks": 4}],
        "tasks": 4, "present": 0, "comments": 2, "assignees": 2, "files": 1, "people": ["anna", "otto"],
        "leftOut": ["Not taken over: custom fields of 1 card."],
    },
    "choices": {"people": {}, "boards": None, "fetchFiles": False, "media": {}}, "counts": {}, "nextPart": 0,
    "parts": 2, "reason": None, "createdAt": 1794787200000, "updatedAt": 1794787200000,
}  # fmt: skip
_RUNNING = _EXAMPLE | {"status": "running", "choices": _EXAMPLE["choices"] | {"people": {"anna": "alice"}}}  # type: ignore[operator]
_PATH = "/imports/{import_id}"
_TOO_LARGE = "Upload a larger file first (POST /media/upload/presigned), and send its id as uploadId."
PERIODICS = [sweep("tasks.sweep_imports", 3_600_000, import_store.forget_imports)]
JOBS: list[AnyKind] = [BRING]
ENDPOINTS = [
    Endpoint(
        "POST", "/imports", begin_import, ImportView, scope="tasks:write", body=ImportBody, status=201, prepare=_read,
        max_body=11 * MEBIBYTE, if_too_large=_TOO_LARGE, form=FormFile("file", _MOST_INLINE),
        errors=[FileNotUnderstood, TooManyItems, NotFound, PayloadTooLarge],
        headers={"Location": "Where the import is."}, example=_EXAMPLE,
        example_body={"filename": "list.ics", "file": "QkVHSU46VkNBTEVOREFSDQpFTkQ6VkNBTEVOREFSDQo="},
    ),
    Endpoint(
        "GET", "/imports", list_imports, list[ImportView], scope="tasks:read", query=ImportsQuery, meta=PageMeta,
        example=[_EXAMPLE],
    ),
    Endpoint("GET", _PATH, get_import, ImportView, scope="tasks:read", example=_EXAMPLE),
    Endpoint(
        "POST", f"{_PATH}/run", run_import, ImportView, scope="tasks:write", body=RunImportBody, errors=[Conflict],
        example=_RUNNING, example_body={"people": {"anna": "alice"}},
    ),
    Endpoint(
        "POST", f"{_PATH}/stop", stop_import, ImportView, scope="tasks:write", example=_EXAMPLE | {"status": "stopped"}
    ),
    Endpoint(
        "DELETE", _PATH, delete_import, Deleted, scope="tasks:write", errors=[Conflict],
        example={"id": _ID, "deleted": True},
    ),
    Endpoint(
        "GET", f"{_PATH}/lines", list_import_lines, list[ImportLine], scope="tasks:read", query=ImportLinesQuery,
        meta=PageMeta,
        example=[{
            "id": "iml_01kbr2x4q8e9w6y3t7n5m1c0vz", "source": "trello:c1", "kind": "task", "title": "Plant a tree",
            "outcome": "made", "reason": None, "subject": _TASK,
        }],
    ),
]  # fmt: skip
