"""Carry an import out, or say what it would do. It may be cut off and repeated: nothing is made twice.

A task is recognised by the key from its source, a board by a mark in its description. A task that was imported before
stays as it is now; one whose import was cut off is finished. Each task, comment, file and assignee ends in the ledger:
made, present or refused.
"""

import csv
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from stowboard_cli.exits import INVALID, CommandFailure
from stowboard_cli.moving.bring_parts import bring_parts
from stowboard_cli.moving.ledger import Ledger, Outcome, kept_ledger
from stowboard_cli.moving.plan import Plan, PlannedBoard, PlannedTask
from stowboard_cli.output.counted import counted
from stowboard_cli.output.harmless import plain_line
from stowboard_cli.output.here import time_zone
from stowboard_cli.stow import Stow
from stowboard_client import Board, Client, Column, QuickTask, Task, errors

_DONE = {"done", "complete", "completed", "finished"}
_DOING = {"doing", "in progress", "in-progress"}
_TITLE, _BODY, _TAG, _ITEMS = 500, 100_000, 64, 100


class Report(msgspec.Struct, rename="camel"):
    dry_run: bool
    boards: int = 0
    tasks: int = 0
    present: int = 0
    #: Tasks that an earlier import made and that were deleted since. They are not made again.
    deleted: int = 0
    items: int = 0
    comments: int = 0
    attachments: int = 0
    #: Files and videos that are in the export itself.
    media: int = 0
    refused: int = 0
    not_understood: list[str] = []
    left: list[str] = []


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--zone", metavar="ZONE", help="time zone of the dates in the file; by default this machine's")
    parser.add_argument("--files", action="store_true", help="have the server fetch attachments")
    common_arguments(parser)


def common_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="make nothing; say what would be made")
    parser.add_argument(
        "--people", type=Path, metavar="CSV", help="lines such as «Ann Smith,ann»: a name in the file, and a username"
    )
    parser.add_argument("--ledger", type=Path, metavar="FILE", help="write down what became of each thing")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def carry_out(stow: Stow, given: Namespace, plan: Plan) -> None:
    people = read_people(given.people)
    tasks = [task for board in plan.boards for task in board.tasks]
    report = Report(
        given.dry_run, len(plan.boards), plan.tasks, items=sum(len(task.checklist) for task in tasks),
        comments=sum(len(task.comments) for task in tasks), attachments=sum(len(task.files) for task in tasks),
        left=list(plan.left),
    )  # fmt: skip
    if report.attachments and not given.files:
        report.left.append(
            f"Left where they are: {counted(report.attachments, 'attachment')}. The tasks' bodies have their addresses;"
            " --files fetches them."
        )
    unknown = sorted({name for task in tasks for name in task.people} - people.keys())
    if unknown:
        report.left.append(f"Nobody is assigned for {', '.join(unknown)}: --people says who they are.")
    if not given.dry_run:
        stow.require_yes(f"Bring in {counted(plan.tasks, 'task')} on {counted(len(plan.boards), 'board')}?")
    with kept_ledger(given.ledger) as ledger:
        for planned in plan.boards:
            board = None if given.dry_run else _board(stow.client, planned)
            for task in planned.tasks:
                _task(stow.client, board, task, given, people, report, ledger)
            stow.say(f"{planned.name}: {counted(len(planned.tasks), 'task')}")
    if report.deleted:
        report.left.append(f"Brought in before, deleted since, and not made again: {counted(report.deleted, 'task')}.")
    show_report(stow, report, ledger)


def show_report(stow: Stow, report: Report, ledger: Ledger) -> None:
    report.refused = sum(line.outcome == Outcome.REFUSED for line in ledger.lines)
    for sentence in report.left:
        stow.say(sentence)
    for text in report.not_understood:
        stow.say(f"Not understood as a date, and kept in the body: {text}")
    stow.show(report)


def read_people(file: Path | None) -> dict[str, str]:
    """Usernames, by the names of the other program."""
    if file is None:
        return {}
    with file.open(newline="", encoding="utf-8-sig") as lines:
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines) if row]
    if any(len(row) != 2 or not all(row) for row in rows):
        raise CommandFailure(INVALID, f"{file} needs lines of a name and a username, such as «Ann Smith,ann».")
    return dict(rows)


def _board(client: Client, planned: PlannedBoard) -> Board:
    mark = f"[{planned.source}]"
    board = next((one for one in client.boards.list() if mark in one.description), None)
    board = board or client.boards.create(plain_line(planned.name)[:200] or "Untitled", description=mark)
    known = {column.name.casefold() for column in board.columns}
    for name in filter(None, map(plain_line, planned.columns)):
        if _standing(board, name) is None and name.casefold() not in known:
            client.boards.add_column(board.id, name[:200], "todo")
            known.add(name.casefold())
    return client.boards.get(board.id)


def _task(
    client: Client,
    board: Board | None,
    planned: PlannedTask,
    given: Namespace,
    people: dict[str, str],
    report: Report,
    ledger: Ledger,
) -> None:
    zone = planned.zone or given.zone or time_zone() or "UTC"
    due_at, due_on, recurrence, body = planned.due_at, planned.due_on, planned.recurrence, planned.body
    from_completion = planned.from_completion
    if planned.due_text:
        read = _read(client, planned.due_text, zone)
        if read is None:
            report.not_understood.append(f"{planned.title}: {planned.due_text}")
            body = f"{body}\n\nDue: {planned.due_text}".strip()
            read = _read(client, planned.due_once, zone)
        if read is not None:
            due_at, due_on, recurrence = read.due_at, read.due_on, read.recurrence
            from_completion = read.recurrence_from == "completion"
    if board is None:
        return
    items = [{"title": plain_line(title)[:_TITLE] or "?", "done": done} for title, done in planned.checklist]
    body = "\n".join([body, *(f"- [{'x' if item['done'] else ' '}] {item['title']}" for item in items[_ITEMS:])])
    tags = list(dict.fromkeys(plain_line(tag.replace(",", " "))[:_TAG] for tag in planned.tags))
    members: dict[str, Any] = {
        "body": body[:_BODY].strip() or UNSET, "recurrence": recurrence, "time_zone": zone,
        "due_at": None if due_on else due_at, "due_on": due_on,
        "tags": [tag for tag in tags if tag][:50], "priority": planned.priority, "checklist": items[:_ITEMS],
        "key": planned.source, "recurrence_from": "completion" if from_completion else UNSET,
        "start_at": min(planned.start_at, due_at) if planned.start_at and due_at else planned.start_at,
    }  # fmt: skip
    assignees = list(dict.fromkeys(people[name] for name in planned.people if name in people))
    title = plain_line(planned.title)[:_TITLE] or "Untitled"
    try:
        task = create_task(client, title, assignees, members, ledger)
    except errors.Conflict:  # the key belongs to a deleted task for a day
        report.deleted += 1
        ledger.add(planned.source, "task", Outcome.REFUSED, "It was deleted here.")
        return
    except errors.BadRequest as refusal:
        ledger.refused(planned.source, "task", refusal)
        return
    changed = task.version > 1 + task.comment_count + len(task.attachments)
    present = changed or task.archived or task.placement is not None
    outcome = Outcome.PRESENT if present else Outcome.MADE
    note_assignees(planned.source, planned.people, people, task, outcome, ledger)
    bring_parts(client, planned, task, people, ledger, present=present, fetch=given.files)
    if present:
        report.present += 1
    else:
        _place(client, board, planned, task)
    ledger.add(planned.source, "task", outcome)


def note_assignees(
    source: str, names: Sequence[str], people: dict[str, str], task: Task, outcome: Outcome, ledger: Ledger
) -> None:
    for name in names:
        if name not in people:
            ledger.add(source, "assignee", Outcome.REFUSED, f"--people does not say who {name} is.")
        elif people[name] in task.assignees:
            ledger.add(source, "assignee", outcome)


def create_task(client: Client, title: str, assignees: list[str], members: dict[str, Any], ledger: Ledger) -> Task:
    """Make a task, without assignees who are not members of the space, and without a rule that the service refuses."""
    try:
        return client.tasks.create(title, assignees=assignees, **members)
    except errors.ValidationFailed as refusal:
        if members["recurrence"] and "recurrence" in str(refusal):
            ledger.refused(members["key"], "recurrence", refusal)
            return create_task(client, title, assignees, {**members, "recurrence": None}, ledger)
        left = [name for name in assignees if repr(name) not in str(refusal)]
        if left == assignees:
            raise
        ledger.refused(members["key"], "assignee", refusal)
        return create_task(client, title, left, members, ledger)


def _read(client: Client, text: str, zone: str) -> QuickTask | None:
    """The date that the text is; None if it has other words."""
    read = client.tasks.parse(f"x {text}"[:_TITLE], time_zone=zone).task if text else None
    return read if read is not None and read.title == "x" else None


def _place(client: Client, board: Board, planned: PlannedTask, task: Task) -> None:
    """Archiving comes last: until then a repeated import sees that the task was not finished."""
    name = plain_line(planned.column or "").casefold()
    column = next((one for one in board.columns if one.name.casefold() == name), None) or _standing(board, name)
    status: Any = "done" if planned.done else column.status if column else "todo"
    column_id = column.id if column and column.status == status else None
    client.tasks.move(task.id, status, board=board.id, column_id=column_id)
    if planned.archived:
        client.tasks.archive(task.id)


def _standing(board: Board, name: str) -> Column | None:
    """The column of a new board that fits this name."""
    plain = name.casefold().strip()
    status = "done" if plain in _DONE else "in_progress" if plain in _DOING else None
    if plain in ("to do", "todo"):
        status = "todo"
    return next((column for column in board.columns if column.status == status), None)
