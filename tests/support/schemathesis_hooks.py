"""What no schema can say about a valid request, and schemathesis has to be told."""

from itertools import count
from typing import Any

import schemathesis
from hypothesis import strategies as st

_numbers = count()

schemathesis.openapi.format(
    "rrule", st.sampled_from(["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TH", "RRULE:FREQ=MONTHLY;COUNT=3"])
)
schemathesis.openapi.format("iana-time-zone", st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kathmandu"]))


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    # A cursor is signed: none that was made up is valid.
    if case.query:
        case.query.pop("cursor", None)
    if case.headers:
        # Nobody can guess a version.
        case.headers.pop("If-Match", None)
        # A key may not be used twice for different requests.
        if "Idempotency-Key" in case.headers:
            case.headers["Idempotency-Key"] = f"run-{next(_numbers)}"
    if isinstance(case.body, dict):
        _without_contradictions(case.body)


def _without_contradictions(body: dict[str, Any]) -> None:
    """Members of which each is fine alone."""
    for flag, member in (("clearDueAt", "dueAt"), ("clearReminder", "reminder"), ("boardId", "board")):
        if flag in body and member in body:
            del body[flag]
    if body.get("board") is None and body.get("boardId") is None:
        body.pop("columnId", None)  # it is a column of no board
