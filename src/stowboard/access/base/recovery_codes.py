"""Recovery codes: each replaces a passkey once. They are shown when they are made, and stored as digests."""

import secrets

from stowboard.access.base.account import AccountId
from stowboard.core import clock
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx

NUMBER = 10
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: no letter looks like a digit
_PARTS, _LETTERS = 3, 4  # 60 bits
_LONGEST_TYPED = 50


async def renew(tx: Tx, key: DigestKey, account_id: AccountId) -> list[str]:
    """Ten new codes; earlier ones stop working."""
    codes = [_make() for _ in range(NUMBER)]
    await tx.run("DELETE FROM recovery_code WHERE account_id = $1", account_id)
    rows = [(account_id, key.digest(_marked(code)), clock.now_ms()) for code in codes]
    await tx.run_many("INSERT INTO recovery_code (account_id, digest, created_at) VALUES ($1, $2, $3)", rows)
    return codes


async def spend(tx: Tx, key: DigestKey, account_id: AccountId, typed: str) -> bool:
    """True if it is one of the person's codes, which is then used up."""
    if len(typed) > _LONGEST_TYPED or not typed.isascii():
        return False
    sql = "DELETE FROM recovery_code WHERE account_id = $1 AND digest IN ($2, $3)"
    return await tx.run(sql, account_id, *key.digests(_marked(typed))) > 0


async def count(tx: Tx, account_id: AccountId) -> int:
    row = await tx.one("SELECT count(*) FROM recovery_code WHERE account_id = $1", account_id)
    return int(row[0]) if row else 0


def _make() -> str:
    letters = [secrets.choice(_ALPHABET) for _ in range(_PARTS * _LETTERS)]
    return "-".join("".join(letters[at : at + _LETTERS]) for at in range(0, len(letters), _LETTERS))


def _marked(code: str) -> str:
    """One form for all ways to type a code: with or without dashes, in any case, with letters for digits."""
    letters = "".join(letter for letter in code.lower() if letter.isalnum())
    return "recovery " + letters.translate(str.maketrans("oil", "011"))
