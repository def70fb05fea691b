"""Boards and tasks from other programs."""

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import UNSET

from stowboard_client.transport.call import Call, Deleted, Maybe, Model, data, members, path, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import Conversation, D, Operation, Resource
from stowboard_client.transport.session import Session
from stowboard_client.transport.steps import Pause, Steps

ImportKind: TypeAlias = Literal["trello", "todoist", "vikunja", "ics", "stowboard"]
ImportOutcome: TypeAlias = Literal["made", "present", "leftOut", "refused"]


class FoundBoard(Model, frozen=True, kw_only=True):
    """A board of the file, by its id there."""

    source: str
    name: str
    columns: tuple[str, ...]
    tasks: int


class FoundInFile(Model, frozen=True, kw_only=True):
    """The content of the file. `present` counts tasks that an earlier import has brought."""

    boards: tuple[FoundBoard, ...]
    tasks: int
    present: int
    comments: int
    assignees: int
    files: int
    people: tuple[str, ...]
    left_out: tuple[str, ...]


class ImportChoices(Model, frozen=True, kw_only=True):
    people: dict[str, str]
    boards: tuple[str, ...] | None
    fetch_files: bool
    media: dict[str, str]


class Import(Model, frozen=True, kw_only=True):
    """An import. `counts` says what became of what the file has, by kind and outcome."""

    id: str
    space_id: str
    kind: str
    filename: str
    time_zone: str
    status: str
    found: FoundInFile
    choices: ImportChoices
    counts: dict[str, dict[str, int]]
    next_part: int
    parts: int
    reason: str | None
    created_at: int
    updated_at: int


class ImportLine(Model, frozen=True, kw_only=True):
    """The outcome for one thing in the file. `subject` is the board, task or asset that it is here."""

    id: str
    source: str
    kind: str
    title: str
    outcome: str
    reason: str | None
    subject: str | None


def begin_import(
    filename: str,
    content: bytes | None = None,
    *,
    upload_id: Maybe[str] = UNSET,
    kind: Maybe[ImportKind | None] = UNSET,
    time_zone: Maybe[str | None] = UNSET,
    space: str | None = None,
    idempotency_key: str | None = None,
) -> Call[Import]:
    """Look at a file of another program: what it has. Nothing is made until the import is run.

    A file above 7.5 MiB is uploaded first; `upload_id` is the id of its asset.
    """
    file = UNSET if content is None else base64.b64encode(content).decode()
    content_of = members(filename=filename, file=file, upload_id=upload_id, kind=kind, time_zone=time_zone)
    return Call("POST", "/imports", data(Import), body=content_of, idempotency_key=idempotency_key, space=space)


def list_imports(*, limit: int | None = None, space: str | None = None) -> Call[Page[Import]]:
    """The imports of a space, newest first. They are kept for 30 days."""
    return Call("GET", "/imports", whole(Page[Import]), query={"limit": limit}, space=space)


def get_import(import_id: str) -> Call[Import]:
    """Read an import: the content of its file, and how far it is."""
    return Call("GET", path("/imports/{}", import_id), data(Import))


def run_import(
    import_id: str,
    *,
    people: Maybe[Mapping[str, str]] = UNSET,
    boards: Maybe[Sequence[str]] = UNSET,
    fetch_files: Maybe[bool] = UNSET,
    media: Maybe[Mapping[str, str]] = UNSET,
    idempotency_key: str | None = None,
) -> Call[Import]:
    """Bring in what the file has. The answer comes before it is done: `wait_until_done` waits.

    `people` are usernames here by the names in the file, `boards` the sources of the boards to bring, all by default.
    Repeated, it makes nothing twice.
    """
    content = members(people=people, boards=boards, fetch_files=fetch_files, media=media)
    return Call("POST", path("/imports/{}/run", import_id), data(Import), body=content, idempotency_key=idempotency_key)


def stop_import(import_id: str, *, idempotency_key: str | None = None) -> Call[Import]:
    """Stop an import after the part that it is at. What was brought in stays."""
    return Call("POST", path("/imports/{}/stop", import_id), data(Import), idempotency_key=idempotency_key)


def delete_import(import_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    """Forget an import, with its ledger. The boards and tasks that it has made stay."""
    return Call("DELETE", path("/imports/{}", import_id), data(Deleted), idempotency_key=idempotency_key)


def list_import_lines(
    import_id: str, *, outcome: ImportOutcome | None = None, limit: int | None = None
) -> Call[Page[ImportLine]]:
    """List the outcome for each board, task and file, and for all else that was not brought in, in the file's order."""
    query = {"outcome": outcome, "limit": limit}
    return Call("GET", path("/imports/{}/lines", import_id), whole(Page[ImportLine]), query=query)


def wait_until_done(
    session: Session, import_id: str, seconds: float = 3600.0, progress: Callable[[Import], None] = lambda _: None
) -> Steps[Import]:
    """The import once it does not run; `progress` is told how far it is. Raises TimeoutError if it takes longer."""
    started, pause = session.now(), 0.05
    while True:
        found = yield from session.perform(get_import(import_id))
        progress(found)
        if found.status != "running":
            return found
        if session.now() - started + pause > seconds:
            raise TimeoutError(f"import {import_id} still runs after {seconds} seconds")
        yield Pause(pause)
        pause = min(2 * pause, 1.0)


class Imports(Resource[D]):
    begin = Operation("beginImport", begin_import)
    list = Listing("listImports", list_imports)
    get = Operation("getImport", get_import)
    run = Operation("runImport", run_import)
    stop = Operation("stopImport", stop_import)
    delete = Operation("deleteImport", delete_import)
    lines = Listing("listImportLines", list_import_lines)
    wait_until_done = Conversation(wait_until_done)
