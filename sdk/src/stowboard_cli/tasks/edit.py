"""Change a task in your editor: $VISUAL, $EDITOR, or vi (on Windows Notepad).

If somebody else changed the task meanwhile, nothing is saved, and your text is kept in a file.
"""

import os
import shlex
import subprocess
import sys
import tempfile
from argparse import Namespace
from pathlib import Path

from stowboard_cli.exits import ERROR, INVALID, CommandFailure
from stowboard_cli.stow import Stow
from stowboard_cli.tasks.draft import read_changes, write_draft
from stowboard_cli.tasks.named import get_task_named, task_argument
from stowboard_client import errors

run_arguments = task_argument


def run(stow: Stow, given: Namespace) -> None:
    task = stow.client.tasks.get(get_task_named(stow.client, given.task).id)
    with tempfile.TemporaryDirectory(prefix="stow-") as folder:
        file = Path(folder, "task.md")
        file.write_text(write_draft(task), encoding="utf-8")
        _edit(file)
        text = file.read_text(encoding="utf-8")
    changes = read_changes(task, text)
    if not changes:
        stow.say("Nothing was changed.")
        return
    try:
        stow.show(stow.client.tasks.update(task.id, if_match=task.version, **changes))
    except errors.PreconditionFailed:
        kept = Path(tempfile.gettempdir(), f"{task.id}.md")
        kept.write_text(text, encoding="utf-8")
        raise CommandFailure(INVALID, f"Somebody changed the task meanwhile. Your text is in {kept}.") from None


def _edit(file: Path) -> None:
    windows = sys.platform == "win32"
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ("notepad" if windows else "vi")
    words = shlex.split(editor, posix=not windows)  # on Windows a backslash is part of a path
    if subprocess.run([*words, str(file)], check=False).returncode != 0:  # noqa: S603  the person's own
        raise CommandFailure(ERROR, f"{editor} failed; nothing was saved.")
