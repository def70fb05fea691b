"""The table `notification_channel`."""

from collections.abc import Sequence

from stowboard.core import clock
from stowboard.core.ids import checked_id
from stowboard.db.database import Tx
from stowboard.db.made import MadeThings
from stowboard.db.rows import numbered
from stowboard.db.table import Table
from stowboard.notifications.channel import UNSEEN_MS, ChannelFormat, NotificationChannel

_CHANNELS = Table("notification_channel", NotificationChannel)
_PUT = (
    f"INSERT INTO notification_channel ({_CHANNELS.names}) VALUES ({_CHANNELS.parameters})"
    " ON CONFLICT (digest) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _CHANNELS.fields if name != "digest")
)


async def put(tx: Tx, channel: NotificationChannel) -> None:
    """Store a channel in place of the one with the same digest: a browser belongs to the person who came last."""
    await tx.run(_PUT, *_CHANNELS.values(channel))


async def find_and_lock_by_digest(tx: Tx, person: str, digest: bytes) -> NotificationChannel | None:
    return await _CHANNELS.find(tx, "person = $1 AND digest = $2 FOR UPDATE", person, digest)


async def list_of(tx: Tx, person: str) -> list[NotificationChannel]:
    """Newest first."""
    return await _CHANNELS.find_all(tx, "person = $1 ORDER BY id DESC", person)


async def get(tx: Tx, person: str, channel_id: str) -> NotificationChannel:
    """Raises NotFound."""
    return await _CHANNELS.get(tx, "id = $1 AND person = $2", checked_id("chn", channel_id), person)


async def lock(tx: Tx, person: str, channel_id: str) -> NotificationChannel:
    """Raises NotFound."""
    return await _CHANNELS.get(tx, "id = $1 AND person = $2 FOR UPDATE", checked_id("chn", channel_id), person)


async def find(tx: Tx, channel_id: str) -> NotificationChannel | None:
    return await _CHANNELS.find(tx, "id = $1", channel_id)


async def find_and_lock(tx: Tx, channel_id: str) -> NotificationChannel | None:
    return await _CHANNELS.find(tx, "id = $1 FOR UPDATE", channel_id)


async def find_on(tx: Tx, people: Sequence[str]) -> dict[str, list[tuple[str, ChannelFormat]]]:
    """The ids and formats of the channels that are on, by person."""
    found: dict[str, list[tuple[str, ChannelFormat]]] = {person: [] for person in people}
    which = f"person IN ({numbered(len(people))}) AND off_reason IS NULL"
    sql = f"SELECT person, id, format FROM notification_channel WHERE {which}"
    for person, channel_id, channel_format in await tx.all(sql, *people) if people else []:
        found[person].append((channel_id, ChannelFormat(channel_format)))
    return found


async def remove(tx: Tx, channel_id: str) -> None:
    await tx.run("DELETE FROM notification_channel WHERE id = $1", channel_id)


async def end_made(tx: Tx, made: MadeThings) -> int:
    """Remove all channels of a person. Of one space nothing is kept: the permission is asked for each notification."""
    return await tx.run("DELETE FROM notification_channel WHERE person = $1", made.person)


async def forget_unseen(tx: Tx, limit: int) -> int:
    """Remove browsers that have not come for long."""
    unseen = "SELECT id FROM notification_channel WHERE format = 'webpush' AND seen_at < $1 ORDER BY seen_at LIMIT $2"
    return await tx.run(f"DELETE FROM notification_channel WHERE id IN ({unseen})", clock.now_ms() - UNSEEN_MS, limit)
