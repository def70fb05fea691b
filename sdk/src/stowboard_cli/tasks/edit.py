"""Change a task in your editor: $VISUAL, $EDITOR or vi. If somebody else changed it meanwhile, nothing is saved."""

import os
import shlex
import subprocess
import tempfile
from argparse import ArgumentParser, Namespace
from pathlib import Path

from stowboard_cli.exits import ERROR, INVALID, CommandFailure
from stowboard_cli.stow import Stow
from stowboard_cli.tasks.draft import read_changes, write_draft
from stowboard_cli.tasks.named import get_task_named
from stowboard_client import errors


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("task", metavar="TASK", help="its id, or words that only its title has")


def run(stow: Stow, given: Namespace) -> None:
    task = stow.client.tasks.get(get_task_named(stow.client, given.task).id)
    with tempfile.TemporaryDirectory(prefix="stow-") as folder:
        file = Path(folder, "task.md")
        file.write_text(write_draft(task))
        _edit(file)
        text = file.read_text()
    changes = read_changes(task, text)
    if not changes:
        stow.say("Nothing was changed.")
        return
    try:
        stow.show(stow.client.tasks.update(task.id, if_match=task.version, **changes))
    except errors.PreconditionFailed:
        kept = Path(tempfile.gettempdir(), f"{task.id}.md")
        kept.write_text(text)
        raise CommandFailure(INVALID, f"Somebody changed the task meanwhile. Your text is in {kept}.") from None


def _edit(file: Path) -> None:
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    if subprocess.run([*shlex.split(editor), str(file)], check=False).returncode != 0:  # noqa: S603  the person's own
        raise CommandFailure(ERROR, f"{editor} failed; nothing was saved.")
