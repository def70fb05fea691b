"""Tags of the owner's tasks."""

from stowboard_client.call import Call, Model, whole
from stowboard_client.paging import Listing, Page
from stowboard_client.resource import D, Resource


class Tag(Model, frozen=True, kw_only=True):
    tag: str
    #: How many have it: tasks that are not archived, or assets.
    count: int


def list_tags(*, limit: int | None = None) -> Call[Page[Tag]]:
    """The tags of tasks that are not archived, by name. Raises TaskIndexNotActivated, as the list of tasks does."""
    return Call("GET", "/taskapp/tags", whole(Page[Tag]), query={"limit": limit})


class Tags(Resource[D]):
    list = Listing("listTags", list_tags)
