"""Bring in the to-dos of an iCalendar file (.ics), as calendars and other programs export them.

They come to a board of the file's name. Events are left out: a to-do has a due date, an event a time. It asks first,
unless you say --yes; --dry-run only says what it would do. Repeated, it makes nothing twice.
"""

import re
from argparse import Namespace
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from stowboard_cli.exits import INVALID, CommandFailure
from stowboard_cli.moving.carry_out import carry_out, run_arguments
from stowboard_cli.moving.plan import Plan, PlannedBoard, PlannedTask
from stowboard_cli.output.counted import counted
from stowboard_cli.output.here import is_zone, time_zone
from stowboard_cli.stow import Stow

__all__ = ["run", "run_arguments"]

_ESCAPED = {"n": "\n", "N": "\n"}


class _Property(NamedTuple):
    parameters: str
    value: str


def run(stow: Stow, given: Namespace) -> None:
    path = Path(given.file)
    try:
        plan = read_calendar(
            path.read_bytes().decode("utf-8-sig", "replace"), path.stem, given.zone or time_zone() or "UTC"
        )
    except (ValueError, KeyError) as error:
        raise CommandFailure(INVALID, f"{path} is not an iCalendar file: {error!r}") from None
    carry_out(stow, given, plan)


def read_calendar(text: str, name: str, zone: str) -> Plan:
    """Raises ValueError or KeyError if the text is no such file. `zone` is that of times that name none."""
    lines = re.sub(r"\r?\n[ \t]", "", text).splitlines()
    if "BEGIN:VCALENDAR" not in [line.strip().upper() for line in lines]:
        raise ValueError("there is no VCALENDAR")
    tasks = tuple(_task(properties, zone) for properties in _todos(lines))
    events = sum(line.strip().upper() == "BEGIN:VEVENT" for line in lines)
    left = (f"Not taken over: {counted(events, 'event')}.",) if events else ()
    return Plan((PlannedBoard(f"ics:{name}", name, (), tasks),) if tasks else (), left)


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


def _task(properties: dict[str, _Property], zone: str) -> PlannedTask:
    def text(name: str) -> str:
        found = properties.get(name)
        return re.sub(r"\\(.)", lambda sign: _ESCAPED.get(sign[1], sign[1]), found.value) if found else ""

    due, start = properties.get("DUE"), properties.get("DTSTART")
    priority = int(text("PRIORITY") or 0)  # 1 is the most urgent, 9 the least, 0 none
    return PlannedTask(
        source=f"ics:{properties['UID'].value}"[:255],
        title=text("SUMMARY"),
        body="\n\n".join(part for part in (text("DESCRIPTION"), text("LOCATION"), text("URL")) if part),
        done=text("STATUS").upper() == "COMPLETED" or "COMPLETED" in properties,
        archived=text("STATUS").upper() == "CANCELLED",
        due_at=_instant(due, zone),
        due_on=_day(due),
        start_at=_instant(start, zone),
        recurrence=text("RRULE") or None,
        zone=_zone(due, zone) if due else None,
        priority=0 if priority == 0 else 3 if priority < 5 else 2 if priority == 5 else 1,
        tags=tuple(filter(None, re.split(r"(?<!\\),", properties["CATEGORIES"].value)))
        if "CATEGORIES" in properties
        else (),
    )


def _zone(found: _Property, zone: str) -> str:
    named = re.search(r"TZID=\"?([^\";:]+)", found.parameters, re.IGNORECASE)
    return named[1] if named and is_zone(named[1]) else zone


def _day(found: _Property | None) -> str | None:
    value = found.value.strip() if found else ""
    return datetime.strptime(value, "%Y%m%d").date().isoformat() if len(value) == 8 else None


def _instant(found: _Property | None, zone: str) -> int | None:
    """A day without a time ends at 23:59."""
    if found is None:
        return None
    value = found.value.strip()
    if len(value) == 8:
        value += "T235900"
    moment = datetime.strptime(value.removesuffix("Z"), "%Y%m%dT%H%M%S")
    moment = moment.replace(tzinfo=UTC if value.endswith("Z") else ZoneInfo(_zone(found, zone)))
    return int(moment.timestamp() * 1000)
