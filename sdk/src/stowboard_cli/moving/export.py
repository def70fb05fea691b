"""Write out your tasks, comments and boards, or those of a space, as JSON lines, archived tasks too.

Each line says in `kind` what it is. With --folder the images, files and videos of the space are written as well: the
lines are in export.jsonl, the bytes in the folder media. If it is cut off, the same command fetches what is missing.
`stow import DIR` reads that folder.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

import msgspec

from stowboard_cli.exits import OK, PARTLY
from stowboard_cli.moving.export_media import LINES, export_media
from stowboard_cli.output.counted import counted
from stowboard_cli.output.harmless import harmless_json
from stowboard_cli.profiles.space import OWN
from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import list_tasks


def run_arguments(parser: ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument("-o", "--output", type=Path, metavar="FILE", help="by default standard output")
    where.add_argument("--folder", type=Path, metavar="DIR", help="write images, files and videos too")


def run(stow: Stow, given: Namespace) -> int:
    client = stow.client if given.folder is None else stow.client.with_options(space=stow.client.space or OWN)
    boards = [{"kind": "board", **msgspec.to_builtins(board)} for board in client.boards.list()]
    tasks = [{"kind": "task", **msgspec.to_builtins(task)} for task in list_tasks(client, archived=True)]
    comments = [
        {"kind": "comment", "taskId": task["id"], **msgspec.to_builtins(comment)}
        for task in tasks
        if task["commentCount"]
        for comment in client.comments.list(task["id"])
    ]
    media: list[dict[str, Any]] = []
    failed = 0
    if given.folder is not None:
        attached = [one["id"] for task in tasks for one in task["attachments"] if not one["deleted"]]
        media, failed = export_media(stow, client, given.folder, attached)
    lines = b"".join(msgspec.json.encode(each) + b"\n" for each in (*boards, *tasks, *comments, *media))
    if given.folder is not None:
        (given.folder / LINES).write_bytes(lines)
    elif given.output is None:
        stow.printer.text(harmless_json(lines.decode().rstrip("\n")))
    else:
        given.output.write_bytes(lines)
    written = [counted(len(boards), "board"), counted(len(tasks), "task"), counted(len(comments), "comment")]
    written += [counted(len(media) - failed, "file")] if given.folder is not None else []
    stow.say(f"{', '.join(written)}.")
    return PARTLY if failed else OK
