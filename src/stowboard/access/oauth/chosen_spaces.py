"""The spaces that an application reaches: one's own, the Library, and the shared ones that the person ticks.

Stowboard's own program for terminals is the person's own hand, and reaches all of them.
"""

from collections.abc import Sequence

from stowboard.access.base.account import Account
from stowboard.access.oauth.applications.application import ApplicationOrigin, OAuthApplication
from stowboard.access.spaces import space_store
from stowboard.access.spaces.space import Space
from stowboard.core.reach import ALL, DEFAULT_SPACES
from stowboard.db.database import Tx


async def choices(tx: Tx, application: OAuthApplication, account: Account) -> list[Space]:
    """The spaces to tick for this application."""
    if application.origin is ApplicationOrigin.BUILT_IN:
        return []
    return await space_store.find_joined(tx, account.username)


async def reached_by(tx: Tx, application: OAuthApplication, account: Account, ticked: Sequence[str]) -> list[str]:
    """The spaces that its tokens reach: ids, `own` or `all`. Spaces that the person is no member of are left out."""
    if application.origin is ApplicationOrigin.BUILT_IN:
        return [ALL]
    return [*DEFAULT_SPACES, *(space.id for space in await choices(tx, application, account) if space.id in ticked)]
