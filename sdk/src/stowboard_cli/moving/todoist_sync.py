"""All of Todoist as its sync API answers it: projects, sections, items, and notes with files."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from stowboard_cli.moving.plan import Plan, PlannedBoard, PlannedComment, PlannedFile, PlannedTask
from stowboard_cli.moving.todoist_csv import left, links
from stowboard_cli.output.here import is_zone, time_zone


def read_sync(content: dict[str, Any]) -> Plan:
    """Raises KeyError, TypeError or AttributeError if the content is not such an answer."""
    sections = {str(one["id"]): one for one in _living(content.get("sections"))}
    items = {str(one["id"]): one for one in _living(content["items"])}
    notes: dict[str, list[dict[str, Any]]] = {}
    for note in sorted(_living(content.get("notes")), key=lambda one: str(one.get("posted_at") or "")):
        notes.setdefault(str(note.get("item_id")), []).append(note)
    people = {str(one["id"]): str(one.get("full_name") or one["id"]) for one in content.get("collaborators") or []}
    lines = {item_id for item_id, one in items.items() if _is_line(one, items, notes)}
    boards = []
    for project in _living(content["projects"]):
        own = [one for one in items.values() if one.get("project_id") == project["id"]]
        columns = [one for one in sections.values() if one.get("project_id") == project["id"]]
        columns.sort(key=lambda one: one.get("section_order") or 0)
        own.sort(key=lambda one: one.get("child_order") or 0)
        tasks = tuple(
            replace(
                _item(one, sections, items, notes.get(str(one["id"]), []), people),
                checklist=tuple(
                    (str(each["content"]), bool(each.get("checked")))
                    for each in own
                    if str(each["id"]) in lines and each.get("parent_id") == one["id"]
                ),
            )
            for one in own
            if str(one["id"]) not in lines
        )
        names = tuple(str(one["name"]) for one in columns)
        boards.append(PlannedBoard(f"todoist:{project['id']}", project["name"], names, tasks))
    made = sum(str(one.get("parent_id")) in items for item_id, one in items.items() if item_id not in lines)
    return Plan(tuple(boards), tuple(left(made)))


def _living(things: Sequence[dict[str, Any]] | None) -> list[dict[str, Any]]:
    return [one for one in things or [] if not one.get("is_deleted")]


def _is_line(item: dict[str, Any], items: dict[str, Any], notes: dict[str, Any]) -> bool:
    """True for a subtask that has nothing but its text: it becomes an item of its task's checklist."""
    parent = items.get(str(item.get("parent_id")))
    if parent is None or str(parent.get("parent_id")) in items or parent.get("project_id") != item.get("project_id"):
        return False
    more = item.get("description") or item.get("due") or item.get("labels") or item.get("responsible_uid")
    has_parts = any(one.get("parent_id") == item["id"] for one in items.values())
    return not (more or has_parts or str(item["id"]) in notes)


def _comments(notes: list[dict[str, Any]], people: dict[str, str]) -> Iterator[PlannedComment]:
    for note in notes:
        posted = note.get("posted_at")
        at = int(datetime.fromisoformat(posted).timestamp() * 1000) if posted else None
        if note.get("content"):
            yield PlannedComment(people.get(str(note.get("posted_uid")), "somebody"), note["content"], at)


def _item(
    item: dict[str, Any],
    sections: dict[str, Any],
    items: dict[str, Any],
    notes: list[dict[str, Any]],
    people: dict[str, str],
) -> PlannedTask:
    parent = items.get(str(item.get("parent_id")))
    found = [one.get("file_attachment") or {} for one in notes]
    files = [PlannedFile(one.get("file_name") or "file", one["file_url"]) for one in found if one.get("file_url")]
    parts = (item.get("description") or "", f"Part of: {parent['content']}" if parent else "", *links(files))
    responsible = people.get(str(item.get("responsible_uid") or ""))
    repeat, once, zone = _due(item.get("due") or {})
    return PlannedTask(
        source=f"todoist:{item['id']}",
        title=item["content"],
        body="\n\n".join(part for part in parts if part),
        done=bool(item.get("checked")),
        due_text=f"{repeat} {once}".strip() if not _has_time(repeat) else f"{repeat} {once.partition(' ')[0]}",
        due_once=once,
        zone=zone,
        tags=tuple(item.get("labels") or ()),
        column=(sections.get(str(item.get("section_id"))) or {}).get("name"),
        comments=tuple(_comments(notes, people)),
        people=(responsible,) if responsible else (),
        files=tuple(files),
        priority=min(3, max(0, int(item.get("priority") or 1) - 1)),  # 4 is the most urgent here
    )


def _due(due: dict[str, Any]) -> tuple[str, str, str | None]:
    """The repetition in words, the next due date with its time, and the time zone of both.

    A time in UTC (`…Z`) was set in a fixed zone. Any other time is local, wherever the person is.
    """
    text, zone = str(due.get("date") or ""), str(due.get("timezone") or "")
    if text.endswith("Z"):
        zone = zone if is_zone(zone) else time_zone() or "UTC"
        text = datetime.fromisoformat(text).astimezone(ZoneInfo(zone)).isoformat()
    day, _, clock = text.partition("T")
    repeat = str(due.get("string") or "") if due.get("is_recurring") else ""
    return repeat, f"{day} {clock[:5]}".strip(), zone if is_zone(zone) else None


def _has_time(text: str) -> bool:
    return ":" in text or text.endswith(("am", "pm"))
