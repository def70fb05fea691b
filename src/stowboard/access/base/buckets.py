"""Buckets of the table `sign_in_attempt`: how often somebody has done something lately, in all processes together."""

from stowboard.core import clock
from stowboard.core.errors import RateLimited
from stowboard.db.database import Tx


async def fill(tx: Tx, key: bytes, interval: int, most: int, words: str) -> None:
    """Count one in the bucket of this key: one is free again after each `interval`, all of them after `most`.

    Raises RateLimited with these words, and then counts nothing.
    """
    await tx.lock(f"attempt {key.hex()}")
    now = clock.now_ms()
    row = await tx.one("SELECT next_at FROM sign_in_attempt WHERE key = $1", key)
    full_at = max(row[0] if row else 0, now) + interval  # when its bucket is full again, as in the limit of tokens
    if full_at > now + most:
        raise wait(full_at - now - most, words)
    await keep(tx, key, 0, full_at, now)


async def keep(tx: Tx, key: bytes, failures: int, next_at: int, now: int) -> None:
    await tx.run(
        "INSERT INTO sign_in_attempt (key, failures, next_at, tried_at) VALUES ($1, $2, $3, $4)"
        " ON CONFLICT (key) DO UPDATE SET failures = $2, next_at = $3, tried_at = $4",
        key, failures, next_at, now,
    )  # fmt: skip


def wait(ms: int, words: str) -> RateLimited:
    seconds = -(-ms // 1000)
    return RateLimited(
        f"{words} Retry in {seconds} second{'s' if seconds > 1 else ''}.", (("retry-after", str(seconds)),)
    )
