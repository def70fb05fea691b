"""The spaces that an application reaches: one's own, the Library, and the shared ones that the person ticks.

Stowboard's own program for terminals is the person's own hand, and reaches all of them.
"""

from collections.abc import Sequence

from stowboard.access.base.account import Account
from stowboard.access.oauth.applications.application import ApplicationOrigin, OAuthApplication
from stowboard.access.spaces import space_store
from stowboard.access.spaces.space import Space
from stowboard.core.reach import ALL, DEFAULT_SPACES, LIBRARY
from stowboard.db.database import Tx


async def choices(tx: Tx, application: OAuthApplication, account: Account) -> tuple[list[str], list[Space]]:
    """The reach that this application has in any case, in words, and the spaces to tick for it."""
    always = ["Your own space.", "The Library."]
    if application.origin is not ApplicationOrigin.BUILT_IN:
        return always, await space_store.find_joined(tx, account.username)
    reached = await space_store.find_reached(tx, account.username)
    spaces = (await space_store.find_spaces(tx, [each for each in reached if each != LIBRARY])).values()
    return [*always, *sorted(f"The space {space.name}." for space in spaces), "Every space that you join later."], []


async def reached_by(tx: Tx, application: OAuthApplication, account: Account, ticked: Sequence[str]) -> list[str]:
    """The spaces that its tokens reach: ids, `own` or `all`. Spaces that the person is no member of are left out."""
    if application.origin is ApplicationOrigin.BUILT_IN:
        return [ALL]
    _, offered = await choices(tx, application, account)
    return [*DEFAULT_SPACES, *(space.id for space in offered if space.id in ticked)]
