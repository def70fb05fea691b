"""Errors of tasks and boards, beyond those of every operation."""

from stowboard.core.errors import Conflict, NotFound, Problem, ValidationFailed


class TaskNotFound(NotFound):
    """The task is absent or another owner's."""


class BoardNotFound(NotFound):
    """The board or column is absent or another owner's."""


class WrongDestination(ValidationFailed):
    """The place to move to contradicts itself."""

    kept = True


class UnknownAttachment(ValidationFailed):
    """There is no such asset or video."""

    kept = True


class TaskIndexNotActivated(Problem):
    status, code = 409, "task_index_not_activated"
    message = (
        "The task index of this owner is not activated yet. Call POST /taskapp/task-index/backfill until "
        "data.complete is true, then repeat this request."
    )
    advice = "Call POST /taskapp/task-index/backfill until complete is true. Each owner needs that once."


class ZeroKnowledgeBody(Problem):
    status, code = 403, "zero_knowledge_body"
    message = (
        "The body of a zero-knowledge task is end-to-end encrypted: the server takes no plaintext, and only an "
        "interactive token reads and writes encryptedBody."
    )
    advice = "Leave the body alone, or use the owner's own client, which seals it in encryptedBody."


class KeyOfDeletedTask(Conflict):
    message = "The task that was created with this idempotencyKey has been deleted. Use a new key for a new task."


class NoTasksInLibrary(Conflict):
    message = "The Library is for media. Make tasks and boards in another space: name it in spaceId, or leave that out."


class TaskInTrash(Conflict):
    message = "The task is in the trash. Restore it first."


class ColumnOfOtherStatus(Conflict):
    message = "The entry column cannot be one of done tasks, and the terminal column must be."


class TooLargeToTransfer(Conflict):
    code = "too_large_to_transfer"
    message = "The board has too many tasks to be transferred at once."
    advice = "Move tasks off the board, or transfer some of them one by one; then transfer the board."


class ColumnInUse(Conflict):
    message = "A board always has an entry column and a terminal column. Make another column that first."
