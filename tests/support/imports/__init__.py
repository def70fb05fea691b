"""Files as other programs export them, and the plans that the service makes of them (plans.json)."""

import json
from pathlib import Path
from typing import Any

import msgspec

from stowboard.tasks.imports.read_file import read_file

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
    """The plan of a sample, as JSON."""
    _, plan = read_file(sample(file), name, None, ZONE)
    shown = json.loads(msgspec.json.encode(plan))
    for board in shown["boards"]:
        board["columns"] = [column["name"] for column in board["columns"]]
        if not board["description"]:
            del board["description"]
    return shown
