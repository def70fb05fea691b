"""Add a task, from one line: stow task add "Renew cert fri 9am #ops every month @house"

Words that are not understood stay in the title; --plain takes the whole line as the title. --dry-run shows the task and
makes nothing. Dates are in the time zone of this machine; if that is unknown, in that of your account.
"""

from argparse import ArgumentParser, Namespace

from msgspec import UNSET

from stowboard_cli.output.harmless import harmless
from stowboard_cli.output.here import time_zone
from stowboard_cli.stow import Stow


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("line", nargs="+", metavar="WORD")
    parser.add_argument("--body", help="a longer text")
    parser.add_argument("--zone", metavar="ZONE", help="a time zone, such as Europe/Berlin")
    parser.add_argument("--key", help="a repeated command with the same key makes no second task")
    parser.add_argument("--plain", action="store_true", help="take the whole line as the title")
    parser.add_argument("--dry-run", action="store_true", help="show the task and make nothing")


def run(stow: Stow, given: Namespace) -> None:
    tasks, line, zone = stow.client.tasks, " ".join(given.line), given.zone or time_zone() or UNSET
    body, key = given.body or UNSET, given.key or UNSET
    if given.plain:
        stow.show(tasks.create(line, time_zone=zone, body=body, key=key))
        return
    parsed = tasks.parse(line, time_zone=zone)
    for span in parsed.spans:
        stow.say(f"{span.kind:<8}  {harmless(line[span.start : span.end])}  →  {harmless(span.value)}")
    stow.show(parsed.task if given.dry_run else tasks.quick_add(line, time_zone=zone, body=body, key=key))
