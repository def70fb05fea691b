"""All of Todoist as its sync API answers it: projects, sections, items, and notes with files."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from stowboard.core.time_zones import zone_of
from stowboard.tasks.base.task import Status
from stowboard.tasks.imports.moments import instant, known_zone
from stowboard.tasks.imports.plan import Plan, PlannedBoard, PlannedComment, PlannedFile, PlannedTask, columns_named
from stowboard.tasks.imports.todoist_csv import left_out_of, links


def read_sync(content: dict[str, Any], zone: str) -> Plan:
    """Raises KeyError, TypeError or AttributeError if the content is not such an answer.

    `zone` is that of fixed times whose zone is not known.
    """
    sections = {str(one["id"]): one for one in _living(content.get("sections"))}
    items = {str(one["id"]): one for one in _living(content["items"])}
    notes: dict[str, list[dict[str, Any]]] = {}
    for note in sorted(_living(content.get("notes")), key=lambda one: str(one.get("posted_at") or "")):
        notes.setdefault(str(note.get("item_id")), []).append(note)
    people = {str(one["id"]): str(one.get("full_name") or one["id"]) for one in content.get("collaborators") or []}
    parents = {one.get("parent_id") for one in items.values()}
    lines = {item_id for item_id, one in items.items() if _is_line(one, items, notes, parents)}
    boards = []
    of_projects: dict[Any, list[dict[str, Any]]] = {}
    for one in items.values():
        of_projects.setdefault(one.get("project_id"), []).append(one)
    for project in _living(content["projects"]):
        own = of_projects.get(project["id"], [])
        columns = [one for one in sections.values() if one.get("project_id") == project["id"]]
        columns.sort(key=lambda one: one.get("section_order") or 0)
        own.sort(key=lambda one: one.get("child_order") or 0)
        checklists: dict[str, list[tuple[str, bool]]] = {}
        for one in own:
            if str(one["id"]) in lines:
                item = (str(one["content"]), bool(one.get("checked")))
                checklists.setdefault(str(one["parent_id"]), []).append(item)
        tasks = [
            replace(
                _item(one, sections, items, notes.get(str(one["id"]), []), people, zone),
                checklist=checklists.get(str(one["id"]), []),
            )
            for one in own
            if str(one["id"]) not in lines
        ]
        names = columns_named([str(one["name"]) for one in columns])
        boards.append(PlannedBoard(f"todoist:{project['id']}", str(project["name"]), names, tasks))
    made = sum(str(one.get("parent_id")) in items for item_id, one in items.items() if item_id not in lines)
    return Plan(boards, left_out_of(made))


def _living(things: Sequence[dict[str, Any]] | None) -> list[dict[str, Any]]:
    return [one for one in things or [] if not one.get("is_deleted")]


def _is_line(item: dict[str, Any], items: dict[str, Any], notes: dict[str, Any], parents: Collection[Any]) -> bool:
    """True for a subtask that has nothing but its text: it becomes an item of its task's checklist."""
    parent = items.get(str(item.get("parent_id")))
    if parent is None or str(parent.get("parent_id")) in items or parent.get("project_id") != item.get("project_id"):
        return False
    more = item.get("description") or item.get("due") or item.get("labels") or item.get("responsible_uid")
    return not (more or item["id"] in parents or str(item["id"]) in notes)


def _comments(notes: list[dict[str, Any]], people: dict[str, str]) -> Iterator[PlannedComment]:
    for note in notes:
        if note.get("content"):
            author = people.get(str(note.get("posted_uid")), "somebody")
            yield PlannedComment(author, str(note["content"]), instant(note.get("posted_at")))


def _item(
    item: dict[str, Any],
    sections: dict[str, Any],
    items: dict[str, Any],
    notes: list[dict[str, Any]],
    people: dict[str, str],
    zone: str,
) -> PlannedTask:
    parent = items.get(str(item.get("parent_id")))
    found = [one.get("file_attachment") or {} for one in notes]
    files = [
        PlannedFile(str(one.get("file_name") or "file"), str(one["file_url"])) for one in found if one.get("file_url")
    ]
    parts = (str(item.get("description") or ""), f"Part of: {parent['content']}" if parent else "", *links(files))
    responsible = people.get(str(item.get("responsible_uid") or ""))
    repeat, once, due_zone = _due(item.get("due") or {}, zone)
    return PlannedTask(
        source=f"todoist:{item['id']}",
        title=str(item["content"]),
        body="\n\n".join(part for part in parts if part),
        status=Status.DONE if item.get("checked") else None,
        due_text=f"{repeat} {once}".strip() if not _has_time(repeat) else f"{repeat} {once.partition(' ')[0]}",
        due_once=once,
        zone=due_zone,
        tags=[str(label) for label in item.get("labels") or []],
        column=(sections.get(str(item.get("section_id"))) or {}).get("name"),
        comments=list(_comments(notes, people)),
        people=[responsible] if responsible else [],
        files=files,
        priority=min(3, max(0, int(item.get("priority") or 1) - 1)),  # 4 is the most urgent here
    )


def _due(due: dict[str, Any], here: str) -> tuple[str, str, str | None]:
    """The repetition in words, the next due date with its time, and the time zone of both.

    A time in UTC (`…Z`) was set in a fixed zone. Any other time is local, wherever the person is.
    """
    text, zone = str(due.get("date") or ""), known_zone(str(due.get("timezone") or ""))
    if text.endswith("Z"):
        zone = zone or here
        text = datetime.fromisoformat(text).astimezone(zone_of(zone)).isoformat()
    day, _, clock = text.partition("T")
    repeat = str(due.get("string") or "") if due.get("is_recurring") else ""
    return repeat, f"{day} {clock[:5]}".strip(), zone


def _has_time(text: str) -> bool:
    return ":" in text or text.endswith(("am", "pm"))
