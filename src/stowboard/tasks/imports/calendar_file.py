"""The to-dos of an iCalendar file (RFC 5545). They come to a board of the file's name; events are left out."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from stowboard.core.wording import counted
from stowboard.tasks.base.task import Status
from stowboard.tasks.imports.moments import instant_there, known_zone
from stowboard.tasks.imports.plan import Plan, PlannedBoard, PlannedTask

_ESCAPED = {"n": "\n", "N": "\n"}
_DAY = re.compile(r"(\d{4})(\d\d)(\d\d)")
#: Lines are folded between octets, perhaps amid a character, and end in CRLF alone (3.1).
_FOLD, _LINE_END = re.compile(rb"\r?\n[ \t]"), re.compile(rb"\r?\n")


class _Property(NamedTuple):
    parameters: str
    value: str


def read_calendar(content: bytes, name: str, zone: str) -> Plan:
    """Raises ValueError if it is no such file. `zone` is that of times that name none."""
    lines = [line.decode("utf-8", "replace") for line in _LINE_END.split(_FOLD.sub(b"", content))]
    if "BEGIN:VCALENDAR" not in [line.strip("\ufeff \t").upper() for line in lines]:
        raise ValueError("there is no VCALENDAR")
    tasks = [_task(properties, f"{name} {number}", zone) for number, properties in enumerate(_todos(lines), 1)]
    events = sum(line.strip().upper() == "BEGIN:VEVENT" for line in lines)
    left_out = [f"Not taken over: {counted(events, 'event')}."] if events else []
    return Plan([PlannedBoard(f"ics:{name}", name, [], tasks)] if tasks else [], left_out)


def _todos(lines: list[str]) -> Iterator[dict[str, _Property]]:
    """The properties of each to-do, without those of the alarms in it."""
    inside: list[str] = []
    properties: dict[str, _Property] = {}
    for line in lines:
        head, _, value = line.partition(":")
        name, _, parameters = head.partition(";")
        name = name.strip().upper()
        if name == "BEGIN":
            inside.append(value.strip().upper())
            properties = {} if inside[-1] == "VTODO" else properties
        elif name == "END" and inside:
            if inside.pop() == "VTODO":
                yield properties
        elif inside and inside[-1] == "VTODO":
            properties[name] = _Property(parameters, value)


def _task(properties: dict[str, _Property], nameless: str, zone: str) -> PlannedTask:
    """`nameless` is the id of a to-do that has none."""

    def text(name: str) -> str:
        found = properties.get(name)
        return re.sub(r"\\(.)", lambda sign: _ESCAPED.get(sign[1], sign[1]), found.value) if found else ""

    due, start = properties.get("DUE"), properties.get("DTSTART")
    due_zone = _zone(due, zone) if due else None
    due_at, due_on = _moment(due, zone), _day(due)
    is_done = text("STATUS").upper() == "COMPLETED" or "COMPLETED" in properties
    priority = int(text("PRIORITY") or 0)  # 1 is the most urgent, 9 the least, 0 none
    categories = properties["CATEGORIES"].value if "CATEGORIES" in properties else ""
    uid = properties["UID"].value if "UID" in properties else nameless
    return PlannedTask(
        source=f"ics:{uid}",
        title=text("SUMMARY"),
        body="\n\n".join(part for part in (text("DESCRIPTION"), text("LOCATION"), text("URL")) if part),
        status=Status.DONE if is_done else None,
        archived=text("STATUS").upper() == "CANCELLED",
        due_at=due_at,
        due_on=due_on,
        due_text=due.value if due is not None and (due_at, due_on) == (None, None) else "",
        start_at=_start(start, zone),
        recurrence=text("RRULE") or None,
        zone=due_zone,
        priority=0 if priority <= 0 else 3 if priority < 5 else 2 if priority == 5 else 1,
        tags=[tag for tag in re.split(r"(?<!\\),", categories) if tag],
    )


def _zone(found: _Property, zone: str) -> str:
    named = re.search(r"TZID=\"?([^\";:]+)", found.parameters, re.IGNORECASE)
    return (known_zone(named[1]) if named else None) or zone


def _day(found: _Property | None) -> str | None:
    """The day of a date without a time, if there is such a day."""
    day = _DAY.fullmatch(found.value.strip()) if found is not None else None
    if day is None or _wall(f"{day[0]}T000000") is None:
        return None
    return "-".join(day.groups())


def _moment(found: _Property | None, zone: str) -> int | None:
    if found is None or (wall := _wall(found.value.strip().removesuffix("Z"))) is None:
        return None
    return instant_there(wall, "UTC" if found.value.strip().endswith("Z") else _zone(found, zone))


def _start(found: _Property | None, zone: str) -> int | None:
    """A day without a time begins at midnight."""
    is_day = found is not None and _day(found) is not None
    return _moment(_Property(found.parameters, f"{found.value.strip()}T000000") if is_day and found else found, zone)


def _wall(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y%m%dT%H%M%S")
    except ValueError:
        return None
