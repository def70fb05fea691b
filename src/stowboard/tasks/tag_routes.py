"""Tags of tasks over HTTP: renamed and merged. Lists of them are the index's."""

from stowboard.api import tag_renames
from stowboard.api.endpoint import Call, Endpoint
from stowboard.api.tag_renames import RenameTagBody, RenameTagView
from stowboard.core.errors import NotFound
from stowboard.db.database import Tx
from stowboard.tasks.base.errors import TaskIndexNotActivated
from stowboard.tasks.rename_tag import RENAMING, rename_tag


async def rename_task_tag(tx: Tx, call: Call[RenameTagBody, None]) -> RenameTagView:
    """Rename a tag of all the owner's tasks, archived ones too, or merge it into one that exists.

    Up to 100 tasks are changed at once; of more, `id` is that of a job whose progress can be asked for.
    """
    return tag_renames.shown(await rename_tag(tx, call.caller, call.body.old, call.body.new))


async def get_task_tag_rename(tx: Tx, call: Call[None, None], rename_id: str) -> RenameTagView:
    """Read how far the renaming of a tag is; for a week after its end."""
    return tag_renames.shown(await RENAMING.find(tx, call.caller.owner, rename_id))


ENDPOINTS = [
    Endpoint(
        "POST", "/taskapp/tags/rename", rename_task_tag, RenameTagView, scope="tasks:write", body=RenameTagBody,
        errors=[TaskIndexNotActivated], example=tag_renames.EXAMPLE_DONE, example_body=tag_renames.EXAMPLE_BODY,
    ),
    Endpoint(
        "GET", "/taskapp/tags/renames/{rename_id}", get_task_tag_rename, RenameTagView, scope="tasks:read",
        errors=[NotFound], example=tag_renames.EXAMPLE,
    ),
]  # fmt: skip
