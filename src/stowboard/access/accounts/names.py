"""Names that people choose for themselves: whoever gets the name `alice` gets alice's tasks.

So a name that already owns something, in whatever spelling, is given only by an admin who names it.
"""

from stowboard.access.base import account_store
from stowboard.access.base.account import check_username
from stowboard.access.base.errors import NameTaken
from stowboard.access.owners import Owners
from stowboard.db.database import Tx


async def check_fresh(tx: Tx, owners: Owners, username: str) -> None:
    """Raises NameTaken if anything in the installation has this name already."""
    check_username(username)
    if await account_store.is_name_known(tx, username) or await owners.is_owner(tx, username):
        raise NameTaken
    for table in ("access_token", "oauth_client"):
        if await tx.one(f"SELECT 1 FROM {table} WHERE lower(owner) = $1 LIMIT 1", username) is not None:
            raise NameTaken
