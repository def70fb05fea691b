"""The one ending: what acts for people, and what ends it.

Whatever a member made that acts for a space, or for themselves in it, has a row in `TABLE`. Each way in which a role
ends, or falls below the role that making the thing needs, calls `end` in its own transaction. Rooms give the function
that ends their things through `Owners`. What is made at that very moment in another process, by a permission that was
remembered, is not let through either: its permission is asked where it acts.
"""

from enum import StrEnum
from functools import partial
from typing import NamedTuple

from stowboard.access import tokens
from stowboard.access.owners import EndThings, Owners
from stowboard.core.errors import NotFound
from stowboard.core.ids import is_id
from stowboard.core.reach import Role
from stowboard.db.database import Tx
from stowboard.db.made import MadeThings


class EndingWay(StrEnum):
    """The columns of the table. An application that is disconnected, or whose consent is over, is a revoked token."""

    LEAVING = "leaving"
    REMOVAL = "removal"
    LOWER_ROLE = "lower_role"
    DISABLING = "disabling"
    DELETION = "deletion"
    TRASH = "trash"
    SPACE_DELETION = "space_deletion"
    REVOKED_TOKEN = "revoked_token"  # noqa: S105
    NARROWED_CONSENT = "narrowed_consent"


class EndingCell(StrEnum):
    ENDS = "ends"
    #: Nothing is stored: the permission is asked each time, and is gone.
    ASKED = "ends, asked each time"
    #: Making it needs no more than what is left, or it cannot be made in that way.
    STAYS = "—"


class EndingRow(NamedTuple):
    """The role that making a thing needs, and what each way does to it. A lower role spares what it still allows."""

    needs: Role
    leaving: EndingCell
    removal: EndingCell
    lower_role: EndingCell
    disabling: EndingCell
    deletion: EndingCell
    trash: EndingCell
    space_deletion: EndingCell
    revoked_token: EndingCell
    narrowed_consent: EndingCell


_E, _A, _S = EndingCell.ENDS, EndingCell.ASKED, EndingCell.STAYS
TABLE = {
    # leaving, removal, lower role, disabling, deletion, trash, deletion of the space, revoked token, narrowed consent
    "tokens": EndingRow(Role.MANAGER, _E, _E, _E, _E, _E, _E, _E, _S, _S),
    "invitations": EndingRow(Role.MANAGER, _E, _E, _E, _E, _E, _E, _E, _E, _E),
    "webhooks": EndingRow(Role.MANAGER, _E, _E, _E, _E, _E, _E, _E, _E, _E),
    "calendars": EndingRow(Role.VIEWER, _E, _E, _S, _E, _E, _E, _E, _E, _E),
    "uploads": EndingRow(Role.EDITOR, _E, _E, _E, _E, _E, _E, _E, _E, _E),
    "uploadsByUrl": EndingRow(Role.EDITOR, _E, _E, _E, _E, _E, _E, _E, _E, _E),
    "imports": EndingRow(Role.EDITOR, _E, _E, _E, _E, _E, _E, _E, _E, _E),
    "signedUrls": EndingRow(Role.VIEWER, _E, _E, _S, _E, _E, _E, _E, _A, _E),
    "channels": EndingRow(Role.VIEWER, _A, _A, _S, _E, _E, _A, _A, _S, _S),
    "assignments": EndingRow(Role.VIEWER, _E, _E, _S, _S, _E, _A, _E, _S, _S),
}


async def end(tx: Tx, owners: Owners, way: EndingWay, made: MadeThings, left: Role | None = None) -> dict[str, int]:
    """End what the table says; returns how many of each kind. `left` is the lower role that is left."""
    ends: dict[str, EndThings] = {
        **owners.ends,
        "tokens": partial(_end_tokens, owners),
        "invitations": _end_invitations,
        "signedUrls": _end_signatures,
    }
    ended = dict[str, int]()
    for thing, row in TABLE.items():
        allowed = left is not None and left.includes(row.needs)
        if getattr(row, way) is EndingCell.ENDS and not allowed and (count := await ends[thing](tx, made)):
            ended[thing] = count
    return ended


async def end_role(tx: Tx, owners: Owners, space_id: str, left: Role | None, person: str | None) -> dict[str, int]:
    """End what a role does not allow that was made lower, or None, without anybody's leaving: that of one person, or of
    everybody who is no member."""
    made = MadeThings(space=space_id, person=person, outsiders=person is None)
    return await end(tx, owners, EndingWay.LOWER_ROLE if left else EndingWay.REMOVAL, made, left)


async def end_made_through(tx: Tx, owners: Owners, through: str) -> dict[str, int]:
    """End what was made with a token, a grant or an OAuth client that has ended."""
    return await end(tx, owners, EndingWay.REVOKED_TOKEN, MadeThings(through=through))


async def revoke_token(tx: Tx, owners: Owners, token_id: str, account_id: str | None = None) -> dict[str, int]:
    """Revoke a token, with what it has made. Raises NotFound if there is no such live token, of that account."""
    if not is_id("tok", token_id) or not await tokens.revoke(
        tx, "id = $2 AND ($3 = '' OR account_id = $3)", token_id, account_id or ""
    ):
        raise NotFound
    return await end_made_through(tx, owners, token_id)


async def _end_tokens(owners: Owners, tx: Tx, made: MadeThings) -> int:
    ended = await tokens.revoke_made(tx, made)
    for token_id in ended:
        await end_made_through(tx, owners, token_id)
    return len(ended)


async def _end_invitations(tx: Tx, made: MadeThings) -> int:
    which, arguments = made.where("space_id = {}")
    return await tx.run(f"DELETE FROM space_invitation WHERE {which}", *arguments)


async def _end_signatures(tx: Tx, made: MadeThings) -> int:
    """End all signatures that were given for the space's media, or for that of all spaces that a person reaches.

    They are kept nowhere, so the answer is 0.
    """
    if made.space is not None:
        await tx.run("UPDATE space SET epoch = epoch + 1 WHERE id = $1", made.space)
    elif made.person is not None:
        joined = "SELECT space_id FROM space_member WHERE member = $1"
        await tx.run(f"UPDATE space SET epoch = epoch + 1 WHERE everyone IS NOT NULL OR id IN ({joined})", made.person)
        await tx.run("UPDATE account SET epoch = epoch + 1 WHERE username = $1", made.person)
    return 0
