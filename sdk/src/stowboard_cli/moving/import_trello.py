"""Bring in a board of Trello, from the file that its menu exports as JSON: lists become columns, cards tasks
with their checklists and comments.

It asks first, unless you say --yes; --dry-run only says what it would do. Repeated, it makes nothing twice.
"""

import json
from argparse import Namespace
from collections.abc import Container
from datetime import datetime
from pathlib import Path
from typing import Any

from stowboard_cli.exits import INVALID, CommandFailure
from stowboard_cli.moving.carry_out import carry_out, run_arguments
from stowboard_cli.moving.plan import Plan, PlannedBoard, PlannedComment, PlannedFile, PlannedTask
from stowboard_cli.output.counted import counted
from stowboard_cli.stow import Stow

__all__ = ["run", "run_arguments"]


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
    people = {one["id"]: _name(one) for one in content.get("members") or []}
    cards = sorted(content["cards"], key=lambda card: card.get("pos") or 0)
    comments = _comments(content.get("actions") or [])
    tasks = tuple(_task(card, names, hidden, checklists, people, comments.get(card["id"], [])) for card in cards)
    missing = sum(
        max(0, int((card.get("badges") or {}).get("comments") or 0) - len(task.comments))
        for card, task in zip(cards, tasks, strict=True)
    )
    fields = sum(bool(card.get("customFieldItems")) for card in cards)
    left = tuple(
        sentence
        for count, sentence in (
            (missing, f"Not in the file, which has the newest thousand actions: {counted(missing, 'comment')}."),
            (fields, f"Not taken over: custom fields of {counted(fields, 'card')}."),
        )
        if count
    )
    board = PlannedBoard(f"trello:{content['id']}", content["name"], tuple(one["name"] for one in lists), tasks)
    return Plan((board,), left)


def _task(
    card: dict[str, Any],
    lists: dict[str, str],
    hidden: Container[str],
    checklists: dict[str, Any],
    people: dict[str, str],
    comments: list[PlannedComment],
) -> PlannedTask:
    found = card.get("attachments") or []
    files = tuple(PlannedFile(str(one.get("name") or one["url"]), one["url"]) for one in found if one.get("url"))
    own = [checklists[each] for each in card.get("idChecklists") or [] if each in checklists]
    parts = [card.get("desc") or "", *(f"[{file.name}]({file.url})" for file in files)]
    return PlannedTask(
        source=f"trello:{card['id']}",
        title=card["name"],
        body="\n\n".join(part for part in parts if part),
        done=bool(card.get("dueComplete")),
        archived=bool(card.get("closed")) or card.get("idList") in hidden,
        due_at=_instant(card.get("due")),
        tags=tuple(label.get("name") or label.get("color") or "" for label in card.get("labels") or []),
        column=lists.get(card.get("idList", "")),
        checklist=tuple(item for one in own for item in _items(one, len(own) > 1)),
        comments=tuple(comments),
        people=tuple(people.get(each, each) for each in card.get("idMembers") or []),
        files=files,
    )


def _items(checklist: dict[str, Any], one_of_several: bool) -> list[tuple[str, bool]]:
    """The items of a checklist; its name stands before each if the card has several."""
    items = sorted(checklist.get("checkItems") or [], key=lambda item: item.get("pos") or 0)
    lead = f"{checklist.get('name') or 'Checklist'}: " if one_of_several else ""
    return [(f"{lead}{item['name']}", item.get("state") == "complete") for item in items]


def _comments(actions: list[dict[str, Any]]) -> dict[str, list[PlannedComment]]:
    """By card, oldest first; Trello has the newest first."""
    comments: dict[str, list[PlannedComment]] = {}
    for action in reversed(actions):
        data = action.get("data") or {}
        if action.get("type") == "commentCard" and data.get("text") and data.get("card"):
            author = _name(action.get("memberCreator") or {})
            made = PlannedComment(author, data["text"], _instant(action.get("date")))
            comments.setdefault(data["card"]["id"], []).append(made)
    return comments


def _name(member: dict[str, Any]) -> str:
    return str(member.get("username") or member.get("fullName") or "somebody")


def _instant(text: str | None) -> int | None:
    return None if not text else int(datetime.fromisoformat(text).timestamp() * 1000)
