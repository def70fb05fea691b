"""Tags of the owner's tasks."""

from stowboard_client.transport.call import Call, Model, data, members, path, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import D, Operation, Resource


class Tag(Model, frozen=True, kw_only=True):
    tag: str
    #: The number of unarchived tasks, or of assets, that have the tag.
    count: int


class TagRename(Model, frozen=True, kw_only=True):
    """How many things have the new tag already, and how many there are. `id` is None if the request did it all."""

    id: str | None
    #: `running`, `done` or `failed`.
    status: str
    done: int
    total: int


def list_tags(*, space: str | None = None, limit: int | None = None) -> Call[Page[Tag]]:
    """The tags of tasks that are not archived, by name. Raises TaskIndexNotActivated, as the list of tasks does."""
    return Call("GET", "/taskapp/tags", whole(Page[Tag]), query={"limit": limit}, space=space)


def rename_task_tag(
    old: str, new: str, *, space: str | None = None, idempotency_key: str | None = None
) -> Call[TagRename]:
    """Rename a tag of all tasks, or merge it into one that exists. More than 100 tasks are left to a job."""
    body = members(**{"from": old, "to": new})
    return Call(
        "POST", "/taskapp/tags/rename", data(TagRename), body=body, idempotency_key=idempotency_key, space=space
    )


def get_task_tag_rename(rename_id: str) -> Call[TagRename]:
    """The progress of a rename that a job does."""
    return Call("GET", path("/taskapp/tags/renames/{}", rename_id), data(TagRename))


class Tags(Resource[D]):
    list = Listing("listTags", list_tags)
    rename = Operation("renameTaskTag", rename_task_tag)
    rename_progress = Operation("getTaskTagRename", get_task_tag_rename)
