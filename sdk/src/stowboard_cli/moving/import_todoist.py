"""Bring in the tasks of Todoist: from a project that was exported as CSV, or from the JSON of its sync API.

Projects become boards, sections columns, labels tags; of a subtask the body says what it is part of. Dates in words are
read by the server; what it does not understand is kept in the body. It asks first, unless you say --yes; --dry-run only
says what it would do. Repeated, it makes nothing twice: tasks of a CSV file, which have no ids, are told by project,
text and order.
"""

import json
from argparse import Namespace
from pathlib import Path

from stowboard_cli.exits import INVALID, CommandFailure
from stowboard_cli.moving.carry_out import carry_out, run_arguments
from stowboard_cli.moving.todoist_csv import read_csv
from stowboard_cli.moving.todoist_sync import read_sync
from stowboard_cli.stow import Stow

__all__ = ["run", "run_arguments"]


def run(stow: Stow, given: Namespace) -> None:
    path = Path(given.file)
    text = path.read_bytes().decode("utf-8-sig", "replace")
    try:
        plan = read_sync(json.loads(text)) if text.lstrip().startswith("{") else read_csv(text, path.stem)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CommandFailure(INVALID, f"{path} is not what Todoist exports: {error!r}") from None
    carry_out(stow, given, plan)
