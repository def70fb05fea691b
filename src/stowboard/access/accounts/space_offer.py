"""An invitation to a space, as its holder meets it, with an account or without one.

It makes an account only while the operator allows that, or while the manager who made it is an admin.
"""

import msgspec

from stowboard.access.base import account_store
from stowboard.access.settings import AccessSettings
from stowboard.access.spaces import space_store
from stowboard.access.spaces.space import SpaceInvitation
from stowboard.access.tokens import is_possible
from stowboard.core import clock
from stowboard.core.reach import Role
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx


class SpaceOffer(msgspec.Struct, frozen=True):
    space_id: str
    #: The name of the space.
    space: str
    role: Role
    #: The manager's name, as people see it.
    invited_by: str
    #: This person is a member already.
    joined: bool
    #: Somebody without an account can make one by it.
    makes_accounts: bool


async def find_space_offer(
    tx: Tx, key: DigestKey, settings: AccessSettings, secret: str, username: str | None
) -> tuple[SpaceInvitation, SpaceOffer] | None:
    """None if nobody can use it. To a member it is shown even when it is used up: it still leads to the space."""
    if not is_possible(secret):
        return None
    invitation = await space_store.INVITATIONS.find(tx, "digest IN ($1, $2)", *key.digests(secret))
    space = (await space_store.find_spaces(tx, [invitation.space_id])).get(invitation.space_id) if invitation else None
    if invitation is None or space is None or space.trashed_at is not None:
        return None
    joined = username is not None and await space_store.find_member(tx, space.id, username) is not None
    if not joined and (invitation.uses_left == 0 or invitation.expires_at <= clock.now_ms()):
        return None
    if not joined and username is not None and not await space_store.admits(tx, invitation, username):
        return None
    inviter = await account_store.find_by_username(tx, invitation.created_by)
    makes = settings.space_invites == "anyone" or (inviter is not None and inviter.is_admin and not inviter.disabled)
    name = inviter.display_name if inviter is not None else invitation.created_by
    return invitation, SpaceOffer(space.id, space.name, invitation.role, name, joined, makes)
