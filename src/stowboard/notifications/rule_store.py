"""Rules: the ways on which a person is told of each kind, everywhere, in a space or for a board. The narrowest wins.

`remindByMail` of the account says whether the rule for reminders everywhere has mail. It is kept in the account alone.
"""

from collections.abc import Sequence

import msgspec

from stowboard.access.base.quiet import QuietHours
from stowboard.core.reach import space_id_of
from stowboard.db.database import Tx
from stowboard.db.rows import numbered
from stowboard.notifications.notification import NotificationKind, NotificationWay

#: The scope of a rule that holds in every space.
EVERYWHERE = "all"
MOST_RULES = 200
_read_quiet = msgspec.json.Decoder(QuietHours).decode
_REMINDERS = (EVERYWHERE, NotificationKind.REMINDER)
_AT_ONCE = (
    NotificationKind.ASSIGNED, NotificationKind.MENTIONED, NotificationKind.REMINDER, NotificationKind.SHARED
)  # fmt: skip


class PersonRules(msgspec.Struct, frozen=True):
    """The rules of one person, by scope and kind."""

    ways: dict[tuple[str, NotificationKind], list[NotificationWay]]
    quiet: QuietHours | None

    def quiet_until(self, kind: NotificationKind, now: int) -> int | None:
        """The end of the quiet hours that hold this kind back; None if it may be sent now. A reminder always may."""
        return self.quiet.end_after(now) if self.quiet and kind is not NotificationKind.REMINDER else None

    def ways_of(self, kind: NotificationKind, space: str, board: str | None) -> list[NotificationWay]:
        for scope in (board or "", space_id_of(space), EVERYWHERE):
            if (scope, kind) in self.ways:
                return self.ways[scope, kind]
        return default_ways(kind)


def default_ways(kind: NotificationKind) -> list[NotificationWay]:
    return [NotificationWay.INBOX, *([NotificationWay.PUSH] if kind in _AT_ONCE else [])]


async def find_rules(tx: Tx, people: Sequence[str]) -> dict[str, PersonRules]:
    """The rules of each of these people; all of them have accounts."""
    if not people:
        return {}
    columns = "username, remind_by_mail, quiet_hours"
    accounts = await tx.all(f"SELECT {columns} FROM account WHERE username IN ({numbered(len(people))})", *people)
    rules = {name: PersonRules({}, _read_quiet(quiet) if quiet else None) for name, _, quiet in accounts}
    sql = f"SELECT person, scope, kind, channels FROM notification_rule WHERE person IN ({numbered(len(people))})"
    for person, scope, kind, words in await tx.all(sql, *people):
        rules[person].ways[scope, NotificationKind(kind)] = [NotificationWay(word) for word in words.split()]
    for name, by_mail, _ in accounts:
        ways = rules[name].ways.get(_REMINDERS, default_ways(NotificationKind.REMINDER))
        mail = [NotificationWay.MAIL] if by_mail else []
        rules[name].ways[_REMINDERS] = [*(way for way in ways if way is not NotificationWay.MAIL), *mail]
    return rules


async def keep_rule(
    tx: Tx, person: str, scope: str, kind: NotificationKind, ways: Sequence[NotificationWay] | None
) -> None:
    """Keep the ways of a rule; None removes it, and the default holds again."""
    await tx.run("DELETE FROM notification_rule WHERE person = $1 AND scope = $2 AND kind = $3", person, scope, kind)
    if ways is not None:
        sql = "INSERT INTO notification_rule (person, scope, kind, channels) VALUES ($1, $2, $3, $4)"
        await tx.run(sql, person, scope, kind, " ".join(ways))
    if (scope, kind) == _REMINDERS:
        by_mail = int(NotificationWay.MAIL in (ways or ()))
        await tx.run("UPDATE account SET remind_by_mail = $2 WHERE username = $1", person, by_mail)
