"""Files as other programs export them, and the plans that `stow import` and the console make of them (plans.json)."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec

from stowboard_cli.moving.import_ics import read_calendar
from stowboard_cli.moving.import_trello import read_board
from stowboard_cli.moving.import_vikunja import read_export
from stowboard_cli.moving.plan import Plan
from stowboard_cli.moving.todoist_csv import read_csv

FOLDER = Path(__file__).parent
#: The time zone in which the plans were made.
ZONE = "Asia/Tokyo"


def sample(name: str) -> bytes:
    return (FOLDER / name).read_bytes()


def sample_json(name: str) -> Any:
    return json.loads(sample(name))


def plans() -> list[dict[str, Any]]:
    """Each sample with the name that a person gives it, and its plan as JSON; a task has what is not empty."""
    found: list[dict[str, Any]] = sample_json("plans.json")
    return found


def read(file: str, name: str) -> Any:
    """The plan that `stow import` makes of a sample, as JSON with the console's names."""
    content, stem = sample(file), Path(name).stem
    plan: Plan
    if file.endswith(".csv"):
        plan = read_csv(content.decode(), stem)
    elif file.endswith(".ics"):
        plan = read_calendar(content.decode(), stem, ZONE)
    else:
        plan = read_board(json.loads(content)) if file.startswith("trello") else read_export(content)
    text = msgspec.json.encode(plan).decode()
    shown = json.loads(re.sub(r'_(\w)(?=\w*":)', lambda found: found[1].upper(), text))
    for board in shown["boards"]:
        board["tasks"] = [{name: value for name, value in task.items() if value} for task in board["tasks"]]
    return shown
