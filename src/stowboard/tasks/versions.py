"""Optional optimistic locking: `If-Match` names the version that a change was made for."""

from stowboard.core.errors import PreconditionFailed
from stowboard.tasks.task import Task


def check_version(task: Task, if_match: str | None) -> None:
    """Raises PreconditionFailed if the header names only other versions."""
    if if_match is None or if_match.strip() == "*":
        return
    named = {entry.strip() for entry in if_match.split(",")}
    if f'"{task.version}"' not in named:
        raise PreconditionFailed
