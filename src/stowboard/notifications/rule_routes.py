"""`/notifications/rules`: what a person is told, where and on which ways."""

from typing import Annotated

import msgspec
from msgspec import Meta

from stowboard.access.accounts.person import Person, get_person_themselves
from stowboard.access.base.errors import AccountRequired
from stowboard.api.endpoint import Call, Endpoint
from stowboard.core.caller import Access
from stowboard.core.errors import NotFound, TooManyItems, ValidationFailed
from stowboard.core.reach import Role, space_id_of
from stowboard.db.database import Tx
from stowboard.notifications.notification import NotificationKind, NotificationWay
from stowboard.notifications.rule_store import EVERYWHERE, MOST_RULES, default_ways, find_rules, keep_rule
from stowboard.tasks.base.task import BoardId
from stowboard.tasks.boards.board_store import get_board

Scope = Annotated[str, Meta(min_length=1, max_length=255, description="`all`, the id of a space, or of a board.")]
Ways = Annotated[list[NotificationWay], Meta(max_length=4, description="[] mutes.")]


class RuleView(msgspec.Struct, frozen=True):
    """The ways on which you are told of a kind; the narrowest scope wins."""

    scope: str
    kind: NotificationKind
    channels: Ways


class RuleChange(msgspec.Struct, frozen=True):
    """A rule to set; without `channels` it is removed, and what holds beside it counts again."""

    scope: Scope
    kind: NotificationKind
    channels: Ways | None = None


class RulesBody(msgspec.Struct, frozen=True):
    """Rules to set or to remove; others stay."""

    rules: Annotated[list[RuleChange], Meta(min_length=1, max_length=100)]


async def list_notification_rules(tx: Tx, call: Call[None, None]) -> list[RuleView]:
    """List your rules: those for every kind everywhere, then those for spaces and boards."""
    return await _rules(tx, await get_person_themselves(tx, call.caller))


async def update_notification_rules(tx: Tx, call: Call[RulesBody, None]) -> list[RuleView]:
    """Set rules: for a kind, everywhere (`all`), in a space or for a board."""
    person = await get_person_themselves(tx, call.caller)
    account = person.account
    for rule in call.body.rules:
        if NotificationWay.MAIL in (rule.channels or ()) and (account.email or account.pending_email) is None:
            raise ValidationFailed("channels: mail needs an address; give one with PATCH /access/me.")
        scope = await _scope(tx, call.access.needing(Role.VIEWER), rule.scope)
        ways = None if rule.channels is None else list(dict.fromkeys(rule.channels))
        await keep_rule(tx, account.username, scope, rule.kind, ways)
    rules = await _rules(tx, person)
    if len(rules) > MOST_RULES:
        raise TooManyItems(f"rules: at most {MOST_RULES} in all.")
    return rules


async def _scope(tx: Tx, access: Access, scope: str) -> str:
    """The scope, checked. Raises NotFound, naming it, for a space or board out of reach."""
    if scope == EVERYWHERE:
        return scope
    try:
        if scope.startswith("brd_"):
            return (await get_board(tx, access, BoardId(scope))).id
        return space_id_of(access.reach.find(scope))
    except NotFound:
        raise NotFound(f"scope: {scope} is no space or board that your token can see.") from None


async def _rules(tx: Tx, person: Person) -> list[RuleView]:
    ways = (await find_rules(tx, [person.account.username]))[person.account.username].ways
    everywhere = {(EVERYWHERE, kind): ways.get((EVERYWHERE, kind), default_ways(kind)) for kind in NotificationKind}
    return [RuleView(scope, kind, found) for (scope, kind), found in (everywhere | dict(sorted(ways.items()))).items()]


_EXAMPLE = [{"scope": "all", "kind": "reminder", "channels": ["inbox", "push", "mail"]}]
ENDPOINTS = [
    Endpoint(
        "GET", "/notifications/rules", list_notification_rules, list[RuleView], errors=[AccountRequired],
        example=_EXAMPLE,
    ),
    Endpoint(
        "PATCH", "/notifications/rules", update_notification_rules, list[RuleView], body=RulesBody,
        errors=[AccountRequired, NotFound, TooManyItems], example_body={"rules": _EXAMPLE}, example=_EXAMPLE,
    ),
]  # fmt: skip
