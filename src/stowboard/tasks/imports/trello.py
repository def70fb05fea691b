"""A board of Trello, as its menu exports it (JSON): lists become columns, cards tasks with checklists and comments."""

from collections.abc import Container
from typing import Any

from stowboard.core.wording import counted
from stowboard.tasks.base.task import Status
from stowboard.tasks.imports.moments import instant
from stowboard.tasks.imports.plan import Plan, PlannedBoard, PlannedComment, PlannedFile, PlannedTask, columns_named


def read_trello(content: dict[str, Any]) -> Plan:
    every = sorted(content["lists"], key=lambda one: one.get("pos") or 0)
    names = {one["id"]: str(one["name"]) for one in every}
    hidden = {one["id"] for one in every if one.get("closed")}
    checklists = {one["id"]: one for one in content.get("checklists") or []}
    people = {one["id"]: _name(one) for one in content.get("members") or []}
    cards = sorted(content["cards"], key=lambda card: card.get("pos") or 0)
    comments = _comments(content.get("actions") or [])
    tasks = [_task(card, names, hidden, checklists, people, comments.get(card["id"], [])) for card in cards]
    missing = sum(
        max(0, int((card.get("badges") or {}).get("comments") or 0) - len(task.comments))
        for card, task in zip(cards, tasks, strict=True)
    )
    fields = sum(bool(card.get("customFieldItems")) for card in cards)
    left_out = [
        sentence
        for count, sentence in (
            (missing, f"Not in the file, which has the newest thousand actions: {counted(missing, 'comment')}."),
            (fields, f"Not taken over: custom fields of {counted(fields, 'card')}."),
        )
        if count
    ]
    columns = columns_named([names[one["id"]] for one in every if not one.get("closed")])
    return Plan([PlannedBoard(f"trello:{content['id']}", str(content["name"]), columns, tasks)], left_out)


def _task(
    card: dict[str, Any],
    lists: dict[str, str],
    hidden: Container[str],
    checklists: dict[str, Any],
    people: dict[str, str],
    comments: list[PlannedComment],
) -> PlannedTask:
    found = card.get("attachments") or []
    files = [PlannedFile(str(one.get("name") or one["url"]), str(one["url"])) for one in found if one.get("url")]
    own = [checklists[each] for each in card.get("idChecklists") or [] if each in checklists]
    parts = [str(card.get("desc") or ""), *(f"[{file.name}]({file.url})" for file in files)]
    due = str(card.get("due") or "")
    return PlannedTask(
        source=f"trello:{card['id']}",
        title=str(card["name"]),
        body="\n\n".join(part for part in parts if part),
        status=Status.DONE if card.get("dueComplete") else None,
        archived=bool(card.get("closed")) or card.get("idList") in hidden,
        due_at=instant(due),
        due_text=due if instant(due) is None else "",
        tags=[str(label.get("name") or label.get("color") or "") for label in card.get("labels") or []],
        column=lists.get(card.get("idList", "")),
        checklist=[item for one in own for item in _items(one, len(own) > 1)],
        comments=comments,
        people=[people.get(each, str(each)) for each in card.get("idMembers") or []],
        files=files,
    )


def _items(checklist: dict[str, Any], one_of_several: bool) -> list[tuple[str, bool]]:
    """The items of a checklist; its name stands before each if the card has several."""
    items = sorted(checklist.get("checkItems") or [], key=lambda item: item.get("pos") or 0)
    lead = f"{checklist.get('name') or 'Checklist'}: " if one_of_several else ""
    return [(f"{lead}{item['name']}", item.get("state") == "complete") for item in items]


def _comments(actions: list[dict[str, Any]]) -> dict[str, list[PlannedComment]]:
    """Comments by card, oldest first; Trello has the newest first."""
    comments: dict[str, list[PlannedComment]] = {}
    for action in reversed(actions):
        data = action.get("data") or {}
        if action.get("type") == "commentCard" and data.get("text") and data.get("card"):
            author = _name(action.get("memberCreator") or {})
            comment = PlannedComment(author, str(data["text"]), instant(action.get("date")))
            comments.setdefault(data["card"]["id"], []).append(comment)
    return comments


def _name(member: dict[str, Any]) -> str:
    return str(member.get("username") or member.get("fullName") or "somebody")
