"""Tasks below HTTP: the verbs of the service, called by an owner that a test makes up."""

from stowboard.core.caller import Caller, TokenKind
from stowboard.db.database import Tx
from stowboard.tasks.ordering import MAX_RANK

_DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def caller_of(owner: str) -> Caller:
    return Caller("tok_of_a_test", owner, frozenset({"tasks:read", "tasks:write"}), None, TokenKind.AUTOMATION)


async def wear(tx: Tx, lane: str) -> None:
    """Make a lane look as after very many moves at one spot: same order, but no short rank fits between any two."""
    tasks = await tx.all("SELECT id FROM task WHERE lane = $1 ORDER BY rank", lane)
    await tx.run("UPDATE task SET rank = 'x' || id WHERE lane = $1", lane)
    await tx.run_many("UPDATE task SET rank = $2 WHERE id = $1", [(row[0], _dense(n)) for n, row in enumerate(tasks)])


def _dense(number: int) -> str:
    """Neighbours differ in the last digit that a rank may have."""
    high, low = divmod(number, len(_DIGITS))
    return "V" * (MAX_RANK - 2) + _DIGITS[high] + _DIGITS[low]
