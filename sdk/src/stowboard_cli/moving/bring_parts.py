"""Comments and files of an imported task. What an import has brought is not brought again.

Comments are counted; a file is known by its metadata, which names its source.
"""

import time

from stowboard_cli.moving.ledger import Ledger, Outcome
from stowboard_cli.moving.plan import PlannedComment, PlannedFile, PlannedTask
from stowboard_cli.output.harmless import plain_line
from stowboard_client import ApiError, Client, ImportedFrom, Task

_LONGEST = 10_000
_MOST_COMMENTS = 1000
_FETCHING_S = 60.0
_MARK, _LONGEST_MARK = "importedFrom", 255


def bring_parts(
    client: Client,
    planned: PlannedTask,
    task: Task,
    people: dict[str, str],
    ledger: Ledger,
    *,
    present: bool,
    fetch: bool,
) -> None:
    """Bring the comments and files of a task. A task that is `present` was imported before: it gets no more comments.

    `fetch` has the server fetch the files; the addresses stay in the task's body in any case.
    """
    for number, comment in enumerate(planned.comments):
        source = f"{planned.source}#{number}"
        if number < task.comment_count:
            ledger.add(source, "comment", Outcome.PRESENT)
        elif present:
            ledger.add(source, "comment", Outcome.REFUSED, "The task was brought in before.")
        elif number >= _MOST_COMMENTS:
            ledger.add(source, "comment", Outcome.REFUSED, f"An import brings {_MOST_COMMENTS} comments of a task.")
        else:
            _comment(client, task, number, comment, people, source, ledger)
    for number, file in enumerate(planned.files if fetch else ()):
        _file(client, task, number, file, f"{planned.source}@{number}", ledger)


def _comment(
    client: Client,
    task: Task,
    number: int,
    comment: PlannedComment,
    people: dict[str, str],
    source: str,
    ledger: Ledger,
) -> None:
    """A comment whose text says who wrote it: nobody speaks in another person's name."""
    author = plain_line(people.get(comment.author, comment.author))[:200] or "somebody"
    imported = ImportedFrom(author=author, at=comment.at)
    try:
        key = f"import {task.id}#{number}"
        client.comments.create(task.id, comment.body[:_LONGEST], imported=imported, idempotency_key=key)
    except ApiError as refusal:
        ledger.refused(source, "comment", refusal)
    else:
        ledger.add(source, "comment", Outcome.MADE)


def _file(client: Client, task: Task, number: int, file: PlannedFile, source: str, ledger: Ledger) -> None:
    """Have the service fetch the file, through the guard of its outgoing requests."""
    mark = {_MARK: source[-_LONGEST_MARK:]}
    try:
        for known in client.assets.list(metadata=(_MARK, mark[_MARK]), processing_status="ready", space=task.space_id):
            if known.id not in [attached.id for attached in task.attachments]:
                client.tasks.attach(task.id, known.id)
            ledger.add(source, "file", Outcome.PRESENT)
            return
        upload = client.uploads.from_url(
            file.url, filename=plain_line(file.name)[:200], space=task.space_id, visibility="protected", metadata=mark,
            idempotency_key=f"import {task.id}@{number}",
        )  # fmt: skip
        until = time.monotonic() + _FETCHING_S
        while upload.status not in ("ready", "failed") and time.monotonic() < until:
            time.sleep(0.2)
            upload = client.uploads.get_from_url(upload.id)
        if upload.status != "ready":
            late = f"It was not fetched in {_FETCHING_S:.0f} s. If it comes later, it is {upload.id}: attach it then."
            reason = upload.error.message if upload.error is not None else late
            ledger.add(source, "file", Outcome.REFUSED, reason)
            return
        client.tasks.attach(task.id, upload.id)
    except ApiError as refusal:
        ledger.refused(source, "file", refusal)
    else:
        ledger.add(source, "file", Outcome.MADE)
