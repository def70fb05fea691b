"""Bring in the folder that `stow export --folder` has written: files, boards, tasks and comments.

They go to your own space, or to that of --space. It asks first, unless you say --yes; --dry-run only says what it would
do. Repeated, it makes nothing twice.
"""

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from stowboard_cli.exits import INVALID, CommandFailure
from stowboard_cli.moving.bring_media import ExportedFile, bring_media
from stowboard_cli.moving.bring_parts import bring_parts
from stowboard_cli.moving.carry_out import (
    Report,
    common_arguments,
    create_task,
    note_assignees,
    read_people,
    show_report,
)
from stowboard_cli.moving.export_media import LINES
from stowboard_cli.moving.ledger import Ledger, Outcome, kept_ledger
from stowboard_cli.moving.plan import PlannedComment, PlannedTask
from stowboard_cli.output.counted import counted
from stowboard_cli.profiles.space import OWN
from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import list_tasks
from stowboard_client import Asset, Board, Client, Column, Comment, Task, Video, errors

_MODELS = {"board": Board, "task": Task, "comment": Comment, "image": Asset, "file": Asset, "video": Video}
_CHECKSUM = re.compile("sha256:[0-9a-f]{64}")
#: The most characters of a board's description, so that the mark has room behind them.
_DESCRIPTION = 1900
#: Members of a task that are taken over as they are.
_KEPT = (
    "body", "status", "due_on", "reminder", "recurrence", "time_zone", "tags", "priority", "metadata", "start_at",
    "recurrence_from",
)  # fmt: skip


@dataclass(slots=True)
class Exported:
    boards: list[Board] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    #: Comments by the ids of their tasks, newest first.
    comments: dict[str, list[Comment]] = field(default_factory=dict)
    media: list[ExportedFile] = field(default_factory=list)


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR")
    common_arguments(parser)


def run(stow: Stow, given: Namespace) -> None:
    try:
        with (given.folder / LINES).open("rb") as lines:
            exported = read_lines(lines)
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError, OSError) as error:
        raise CommandFailure(INVALID, f"{given.folder} is not what stow export --folder writes: {error!r}") from None
    people = read_people(given.people)
    report = Report(
        given.dry_run, len(exported.boards), len(exported.tasks), media=len(exported.media),
        items=sum(len(task.checklist) for task in exported.tasks),
        comments=sum(map(len, exported.comments.values())),
        attachments=sum(len(task.attachments) for task in exported.tasks),
    )  # fmt: skip
    if not given.dry_run:
        parts = (counted(report.boards, "board"), counted(report.tasks, "task"), counted(report.media, "file"))
        stow.require_yes(f"Bring in {', '.join(parts)}?")
    with kept_ledger(given.ledger) as ledger:
        if not given.dry_run:
            client = stow.client.with_options(space=stow.client.space or OWN)
            ids = bring_media(stow, client, given.folder, exported.media, ledger)
            _TaskImport(client, ids, people, ledger).bring(exported, report)
    show_report(stow, report, ledger)


def read_lines(lines: Iterable[bytes]) -> Exported:
    """The lines of an export. Raises MsgspecError, KeyError or TypeError for other lines."""
    exported = Exported()
    for line in lines:
        members = msgspec.json.decode(line)
        thing = msgspec.convert(members, _MODELS[members["kind"]])
        if isinstance(thing, Board):
            exported.boards.append(thing)
        elif isinstance(thing, Task):
            exported.tasks.append(thing)
        elif isinstance(thing, Comment):
            exported.comments.setdefault(members["taskId"], []).append(thing)
        elif isinstance(thing, Asset | Video):
            file, checksum = str(members.get("file") or ""), str(members.get("checksum") or "")
            whole = file and _CHECKSUM.fullmatch(checksum)
            exported.media.append(ExportedFile(thing, *((file, checksum) if whole else ("", ""))))
    return exported


class _TaskImport:
    def __init__(self, client: Client, ids: dict[str, str], people: dict[str, str], ledger: Ledger) -> None:
        self._client, self._ids, self._people, self._ledger = client, ids, people, ledger
        #: The columns here, by their ids in the export.
        self._columns: dict[str, Column] = {}

    def bring(self, exported: Exported, report: Report) -> None:
        boards = list(self._client.boards.list())
        for board in exported.boards:
            self._board(board, next((one for one in boards if f"[{_source(board)}]" in one.description), None))
        keys = {task.idempotency_key for task in list_tasks(self._client, archived=True)}
        for task in sorted(exported.tasks, key=lambda one: (one.placement.rank if one.placement else "", one.id)):
            comments = tuple(map(_planned, reversed(exported.comments.get(task.id, []))))
            try:
                report.present += self._task(task, comments, keys)
            except errors.Conflict:  # the key belongs to a deleted task for a day
                report.deleted += 1
                self._ledger.add(_source(task), "task", Outcome.REFUSED, "It was deleted here.")
            except errors.BadRequest as refusal:
                self._ledger.refused(_source(task), "task", refusal)

    def _board(self, board: Board, known: Board | None) -> None:
        """Bring a board. One that was imported before gets the columns that it lacks, and stays as it is otherwise."""
        boards, source = self._client.boards, _source(board)
        try:
            description = f"{board.description[:_DESCRIPTION]}\n[{source}]".strip()
            here = known or boards.create(board.name, description=description)
            same = {(one.name, one.status): one for one in here.columns}
            for position, one in enumerate(board.columns):
                status: Any = one.status
                column = same.get((one.name, one.status))
                column = column or boards.add_column(here.id, one.name, status, position=position)
                self._columns[one.id] = column
                if known is None and (one.is_entry or one.is_terminal):
                    entry, terminal = one.is_entry or UNSET, one.is_terminal or UNSET
                    boards.update_column(here.id, column.id, is_entry=entry, is_terminal=terminal)
            kept = {column.id for column in self._columns.values()}
            for each in here.columns if known is None else ():
                if each.id not in kept:
                    boards.remove_column(here.id, each.id)
        except errors.BadRequest as refusal:
            self._ledger.refused(source, "board", refusal)
        else:
            self._ledger.add(source, "board", Outcome.PRESENT if known else Outcome.MADE)

    def _task(self, task: Task, comments: tuple[PlannedComment, ...], keys: set[str | None]) -> bool:
        """Bring a task; True if it was there already."""
        source, column = _source(task), self._columns.get(task.placement.column_id) if task.placement else None
        members: dict[str, Any] = {name: getattr(task, name) for name in _KEPT} | {
            "key": task.idempotency_key or source, "due_at": None if task.due_on else task.due_at,
            "board_id": column.board_id if column else UNSET, "column_id": column.id if column else UNSET,
            "attachments": [self._ids[one.id] for one in task.attachments if one.id in self._ids],
            "checklist": [{"title": item.title, "done": item.done} for item in task.checklist],
            "reminders": [{"at": at} if (at := one.at) else {"beforeDue": one.before_due} for one in task.reminders],
        }  # fmt: skip
        assignees = [self._people[name] for name in task.assignees if name in self._people]
        here = create_task(self._client, task.title, assignees, members, self._ledger)
        outcome = Outcome.PRESENT if members["key"] in keys or here.trashed_at is not None else Outcome.MADE
        note_assignees(source, task.assignees, self._people, here, outcome, self._ledger)
        for one in task.attachments:
            if one.id not in self._ids:
                self._ledger.add(f"{source}@{one.id}", "file", Outcome.REFUSED, "It was not brought in.")
        if task.visibility == "zero-knowledge" and task.has_body:
            self._ledger.add(source, "body", Outcome.REFUSED, "It is sealed, and only its owner can open it.")
        changed = here.version > 1 + here.comment_count
        planned = PlannedTask(source, task.title, comments=comments)
        bring_parts(self._client, planned, here, self._people, self._ledger, present=changed, fetch=False)
        if task.archived and not here.archived and not changed:
            self._client.tasks.archive(here.id)  # the last step: until then a repeated import goes on
        self._ledger.add(source, "task", outcome)
        return outcome == Outcome.PRESENT


def _source(thing: Board | Task) -> str:
    return f"stow:{thing.id}"


def _planned(comment: Comment) -> PlannedComment:
    """A comment of the plan. If it was imported before, it keeps the author that it has."""
    if comment.imported is not None:
        return PlannedComment(comment.imported.author, comment.body, comment.imported.at)
    return PlannedComment(comment.author or "", comment.body, comment.created_at)
