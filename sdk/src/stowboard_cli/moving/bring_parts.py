"""Comments and files of an imported task. What an import that was cut off has brought is not brought again."""

import time

from stowboard_cli.moving.ledger import Ledger, Outcome
from stowboard_cli.moving.plan import PlannedComment, PlannedTask
from stowboard_cli.output.harmless import plain_line
from stowboard_client import ApiError, Client, ImportedFrom, Task

_LONGEST = 10_000
_MOST_COMMENTS = 1000
_FETCHING_S = 60.0


def bring_parts(
    client: Client, planned: PlannedTask, task: Task, people: dict[str, str], ledger: Ledger, *, fetch: bool
) -> None:
    """`fetch` has the server fetch the files; the addresses stay in the task's body in any case."""
    for number, comment in enumerate(planned.comments[:_MOST_COMMENTS]):
        source = f"{planned.source}#{number}"
        if number < task.comment_count:
            ledger.add(source, "comment", Outcome.PRESENT)
        else:
            _comment(client, task, comment, people, source, ledger)
    for number, file in enumerate(planned.files if fetch else ()):
        if number >= len(task.attachments):
            _file(client, task, file.url, plain_line(file.name)[:200], f"{planned.source}@{number}", ledger)


def _comment(
    client: Client, task: Task, comment: PlannedComment, people: dict[str, str], source: str, ledger: Ledger
) -> None:
    """It says who wrote it; nobody speaks in another's name."""
    author = plain_line(people.get(comment.author, comment.author))[:200] or "somebody"
    imported = ImportedFrom(author=author, at=comment.at)
    try:
        client.comments.create(task.id, comment.body[:_LONGEST], imported=imported, idempotency_key=f"import {source}")
    except ApiError as refusal:
        ledger.refused(source, "comment", refusal)
    else:
        ledger.add(source, "comment", Outcome.MADE)


def _file(client: Client, task: Task, url: str, name: str, source: str, ledger: Ledger) -> None:
    """The service fetches it, through the guard of its outgoing requests."""
    try:
        upload = client.uploads.from_url(
            url, filename=name, space=task.space_id, visibility="protected", idempotency_key=f"import {source}"
        )
        until = time.monotonic() + _FETCHING_S
        while upload.status not in ("ready", "failed") and time.monotonic() < until:
            time.sleep(0.2)
            upload = client.uploads.get_from_url(upload.id)
        if upload.status != "ready":
            reason = upload.error.message if upload.error is not None else "It took too long."
            ledger.add(source, "file", Outcome.REFUSED, reason)
            return
        client.tasks.attach(task.id, upload.id)
    except ApiError as refusal:
        ledger.refused(source, "file", refusal)
    else:
        ledger.add(source, "file", Outcome.MADE)
