"""Assets and videos of a task, in their order."""

from collections.abc import Sequence

from stowboard.core.errors import TooManyItems
from stowboard.db.database import Tx
from stowboard.tasks.base.errors import UnknownAttachment
from stowboard.tasks.base.library import Library
from stowboard.tasks.base.task import MAX_ATTACHMENTS, Attachment


async def checked_attachments(
    tx: Tx, library: Library, ids: Sequence[str], before: Sequence[Attachment] = ()
) -> list[Attachment]:
    """As they are kept: each once. What the task has already stays, also where it was deleted since.

    Raises TooManyItems, UnknownAttachment.
    """
    wanted = list(dict.fromkeys(ids))
    if len(wanted) > MAX_ATTACHMENTS:
        raise TooManyItems(f"attachments: expected at most {MAX_ATTACHMENTS}.")
    known = {attachment.id: attachment for attachment in before}
    new = [each for each in wanted if each not in known]
    found = await library.find_and_lock(tx, new) if new else set()
    for each in new:
        if each not in found:
            raise UnknownAttachment(f"attachments: there is no asset or video {each}.")
        known[each] = Attachment(each)
    return [known[each] for each in wanted]
