"""Bring in a board of Trello, from the file that its menu exports as JSON: lists become columns, cards tasks.

It asks first, unless you say --yes; --dry-run only says what it would do. Repeated, it makes nothing twice.
"""

import json
from argparse import Namespace
from collections.abc import Container
from datetime import datetime
from pathlib import Path
from typing import Any

from stowboard_cli.exits import INVALID, CommandFailure
from stowboard_cli.moving.carry_out import arguments, carry_out
from stowboard_cli.moving.plan import Plan, PlannedBoard, PlannedTask
from stowboard_cli.output.counted import counted
from stowboard_cli.stow import Stow

__all__ = ["arguments", "run"]


def run(stow: Stow, given: Namespace) -> None:
    try:
        plan = read_board(json.loads(Path(given.file).read_bytes()))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CommandFailure(INVALID, f"{given.file} is not a board that Trello has exported: {error!r}") from None
    carry_out(stow, given, plan)


def read_board(content: dict[str, Any]) -> Plan:
    every = sorted(content["lists"], key=lambda one: one.get("pos") or 0)
    lists = [one for one in every if not one.get("closed")]
    names = {one["id"]: one["name"] for one in every}
    hidden = {one["id"] for one in every if one.get("closed")}
    checklists = {one["id"]: one for one in content.get("checklists") or []}
    cards = sorted(content["cards"], key=lambda card: card.get("pos") or 0)
    tasks = tuple(_task(card, names, hidden, checklists) for card in cards)
    comments = sum(action.get("type") == "commentCard" for action in content.get("actions") or [])
    members = sum(bool(card.get("idMembers")) for card in cards)
    fields = sum(bool(card.get("customFieldItems")) for card in cards)
    left = tuple(
        sentence
        for count, sentence in (
            (comments, f"Not taken over: {counted(comments, 'comment')}."),
            (members, f"Not taken over: the members of {counted(members, 'card')}."),
            (fields, f"Not taken over: custom fields of {counted(fields, 'card')}."),
        )
        if count
    )
    board = PlannedBoard(f"trello:{content['id']}", content["name"], tuple(one["name"] for one in lists), tasks)
    return Plan((board,), left)


def _task(
    card: dict[str, Any], lists: dict[str, str], hidden: Container[str], checklists: dict[str, Any]
) -> PlannedTask:
    attachments = card.get("attachments") or []
    parts = [card.get("desc") or ""]
    parts += [_checklist(checklists[each]) for each in card.get("idChecklists") or [] if each in checklists]
    parts += [f"[{one.get('name') or one['url']}]({one['url']})" for one in attachments if one.get("url")]
    return PlannedTask(
        source=f"trello:{card['id']}",
        title=card["name"],
        body="\n\n".join(part for part in parts if part),
        done=bool(card.get("dueComplete")),
        archived=bool(card.get("closed")) or card.get("idList") in hidden,
        due_at=_instant(card.get("due")),
        tags=tuple(label.get("name") or label.get("color") or "" for label in card.get("labels") or []),
        column=lists.get(card.get("idList", "")),
        attachments=len(attachments),
    )


def _checklist(checklist: dict[str, Any]) -> str:
    items = sorted(checklist.get("checkItems") or [], key=lambda item: item.get("pos") or 0)
    lines = [f"- [{'x' if item.get('state') == 'complete' else ' '}] {item['name']}" for item in items]
    return "\n".join([f"**{checklist.get('name') or 'Checklist'}**", *lines])


def _instant(text: str | None) -> int | None:
    return None if not text else int(datetime.fromisoformat(text).timestamp() * 1000)
