"""Optional optimistic locking of tasks."""

from stowboard.core.preconditions import check_if_match
from stowboard.tasks.task import Task


def check_version(task: Task, if_match: str | None) -> None:
    """Raises PreconditionFailed if the header names only other versions."""
    check_if_match(if_match, f'"{task.version}"')
