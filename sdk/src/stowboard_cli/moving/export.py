"""Write out your tasks, comments and boards, or those of a space, as JSON lines, archived tasks too.

Each line says in `kind` what it is.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

import msgspec

from stowboard_cli.output.counted import counted
from stowboard_cli.output.harmless import harmless_json
from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import list_tasks


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="by default standard output")


def run(stow: Stow, given: Namespace) -> None:
    boards = [{"kind": "board", **msgspec.to_builtins(board)} for board in stow.client.boards.list()]
    tasks = [{"kind": "task", **msgspec.to_builtins(task)} for task in list_tasks(stow.client, archived=True)]
    comments = [
        {"kind": "comment", "taskId": task["id"], **msgspec.to_builtins(comment)}
        for task in tasks
        if task["commentCount"]
        for comment in stow.client.comments.list(task["id"])
    ]
    lines = b"".join(msgspec.json.encode(each) + b"\n" for each in (*boards, *tasks, *comments))
    if given.output is None:
        stow.printer.text(harmless_json(lines.decode().rstrip("\n")))
    else:
        given.output.write_bytes(lines)
    stow.say(f"{counted(len(boards), 'board')}, {counted(len(tasks), 'task')}, {counted(len(comments), 'comment')}.")
