"""Bring in boards and tasks that another program exported, or the folder of an export of stow.

FILE is a board of Trello (JSON), a project of Todoist (CSV) or all of it (JSON of its sync API), the ZIP of Vikunja's
data export, a calendar (.ics), or the folder that `stow export --folder` wrote. The service reads it, says what it has,
and brings it in after you agree; --dry-run stops before that. If the command is cut off, the import goes on; repeated,
it makes nothing twice.
"""

import csv
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

import msgspec

from stowboard_cli.exits import INVALID, OK, PARTLY, CommandFailure
from stowboard_cli.moving.bring_media import FileLine, bring_media, read_media
from stowboard_cli.moving.export_media import LINES
from stowboard_cli.output.counted import counted
from stowboard_cli.output.here import time_zone
from stowboard_cli.output.progress import Progress
from stowboard_cli.profiles.space import OWN
from stowboard_cli.stow import Stow
from stowboard_client import Import, ImportLine

#: Larger files are uploaded first.
_MOST_INLINE = 15 * 1024 * 1024 // 2
_KINDS = ("trello", "todoist", "vikunja", "ics", "stowboard")


class ImportReport(msgspec.Struct, rename="camel"):
    """`counts` says what became of each kind of thing; empty after a dry run."""

    id: str
    kind: str
    status: str
    dry_run: bool
    boards: int
    tasks: int
    present: int
    comments: int
    files: int
    #: Images, files and videos that are in the export itself.
    media: int
    counts: dict[str, dict[str, int]]
    left_out: list[str]


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--kind", choices=_KINDS, help="the program; by default the file's look tells")
    parser.add_argument("--zone", metavar="ZONE", help="time zone of the dates in the file; by default this machine's")
    parser.add_argument("--files", action="store_true", help="have the server fetch attachments")
    parser.add_argument("--dry-run", action="store_true", help="make nothing; say what the file has")
    parser.add_argument(
        "--people", type=Path, metavar="CSV", help="lines such as «Ann Smith,ann»: a name in the file, and a username"
    )
    parser.add_argument("--ledger", type=Path, metavar="FILE", help="write down what became of each thing")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(stow: Stow, given: Namespace) -> int:
    people, is_folder = read_people(given.people), given.file.is_dir()
    client = stow.client.with_options(space=stow.client.space or OWN) if is_folder else stow.client
    try:
        content = (given.file / LINES if is_folder else given.file).read_bytes()
        media, content = read_media(content) if is_folder else ([], content)
    except (OSError, msgspec.MsgspecError, KeyError, TypeError) as error:
        raise CommandFailure(INVALID, f"{given.file} cannot be read: {error}") from None
    begun = _begin(client, given, content, "stowboard" if is_folder else given.kind)
    found = begun.found
    for sentence in found.left_out:
        stow.say(sentence)
    if found.files and not given.files and not is_folder:
        stow.say(f"Not fetched without --files: {counted(found.files, 'attachment')}. The tasks have their addresses.")
    if unknown := [name for name in found.people if name not in people]:
        stow.say(f"Nobody is chosen for {', '.join(unknown)}: --people says who they are.")
    if given.dry_run:
        stow.show(_report(begun, len(media), dry_run=True))
        client.imports.delete(begun.id)
        return OK
    parts = [counted(found.tasks, "task"), counted(len(found.boards), "board")]
    stow.require_yes(f"Bring in {', '.join([*parts, *([counted(len(media), 'file')] if media else [])])}?")
    lines: list[FileLine | ImportLine] = []
    try:
        ids = bring_media(stow, client, given.file, media, lines)
        client.imports.run(begun.id, people=people, fetch_files=given.files, media=ids)
        done = _wait(stow, client, begun)
        lines += client.imports.lines(begun.id)
    finally:
        if given.ledger is not None:
            given.ledger.write_bytes(msgspec.json.Encoder().encode_lines(lines))
    for line in lines:
        if line.reason:
            stow.say(f"{line.outcome}: {line.source}: {line.reason}")
    stow.show(_report(done, len(media), dry_run=False))
    if done.reason:
        raise CommandFailure(PARTLY, done.reason)
    return PARTLY if any(line.outcome == "refused" for line in lines) else OK


def read_people(file: Path | None) -> dict[str, str]:
    """Usernames, by the names of the other program."""
    if file is None:
        return {}
    with file.open(newline="", encoding="utf-8-sig") as lines:
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines) if row]
    if any(len(row) != 2 or not all(row) for row in rows):
        raise CommandFailure(INVALID, f"{file} needs lines of a name and a username, such as «Ann Smith,ann».")
    return dict(rows)


def _begin(client: Any, given: Namespace, content: bytes, kind: str | None) -> Import:
    zone = given.zone or time_zone() or "UTC"
    if len(content) <= _MOST_INLINE:
        begun: Import = client.imports.begin(given.file.name, content, kind=kind, time_zone=zone)
        return begun
    upload = client.upload(content, filename=given.file.name, visibility="protected")
    begun = client.imports.begin(given.file.name, upload_id=upload.id, kind=kind, time_zone=zone)
    client.assets.trash(upload.id)
    return begun


def _wait(stow: Stow, client: Any, begun: Import) -> Import:
    """The import at its end; a line on the terminal tells how far it is."""
    progress = Progress(begun.parts, 0, stow.quiet)
    done: Import = client.imports.wait_until_done(begun.id, progress=lambda now: progress.stands_at(now.next_part))
    progress.end()
    return done


def _report(done: Import, media: int, dry_run: bool) -> ImportReport:
    found = done.found
    return ImportReport(
        done.id, done.kind, done.status, dry_run, len(found.boards), found.tasks, found.present, found.comments,
        found.files, media, {} if dry_run else done.counts, list(found.left_out),
    )  # fmt: skip
