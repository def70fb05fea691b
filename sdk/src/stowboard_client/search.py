"""Search, in tasks, assets and videos at once."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from stowboard_client.media.assets import Asset
from stowboard_client.media.videos import Video
from stowboard_client.tasks.task import Task
from stowboard_client.transport.call import Call, Model, whole
from stowboard_client.transport.paging import Page

HitType: TypeAlias = Literal["task", "asset", "video"]


class Hit(Model, frozen=True, kw_only=True):
    """A result. The thing is in the member that has the name in `type`."""

    type: str
    task: Task | None = None
    asset: Asset | None = None
    video: Video | None = None


def search(
    q: str,
    *,
    types: str | Sequence[HitType] | None = None,
    sort: Literal["-createdAt", "relevance"] | None = None,
    space: str | None = None,
    limit: int | None = None,
) -> Call[Page[Hit]]:
    """Tasks, assets and videos with all these words, newest first. Without `types`, all that the token may read.

    Without `space`, tasks of the token's own space and media of the Library; "all" is every space.
    """
    wanted = types if types is None or isinstance(types, str) else ",".join(types)
    query = {"q": q, "types": wanted, "sort": sort, "limit": limit}
    return Call("GET", "/search", whole(Page[Hit]), query=query, space=space)
