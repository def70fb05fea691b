"""Tells schemathesis what no schema can say about a valid request."""

import base64
from itertools import count
from typing import Any
from urllib.parse import urlencode

import schemathesis
from hypothesis import strategies as st

from support.media.unique_images import png

_numbers = count()
#: How large a file may be is a setting, which no schema knows.
_LARGEST = 1_000_000_000

schemathesis.openapi.format(
    "rrule", st.sampled_from(["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TH", "RRULE:FREQ=MONTHLY;COUNT=3"])
)
schemathesis.openapi.format("search-query", st.sampled_from(["water", '"water the"', "tag:home -x", "due:<2026-12-01"]))
schemathesis.openapi.format("transform-class", st.sampled_from(["original", "thumb", "small", "og"]))
schemathesis.openapi.format("iana-time-zone", st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kathmandu"]))

# Images are files as well, so they fit wherever bytes are sent.
_IMAGES = [base64.b64encode(png(*size)).decode() for size in ((1, 1), (9, 5))]
schemathesis.openapi.format("byte", st.sampled_from(_IMAGES))


@schemathesis.hook
def filter_query(context: Any, query: Any) -> bool:
    """An address beyond 16 KiB is refused before it is read, with a status that no operation has."""
    return query is None or len(urlencode(query)) < 12_000


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    # A cursor is signed: none that was made up is valid.
    if case.query:
        case.query.pop("cursor", None)
        # Nobody can guess a board, and the order of a board needs one.
        case.query.pop("boardId", None)
        if case.query.get("sort") == "board":
            del case.query["sort"]
        case.query.pop("trashed", None)  # the trash takes no filter beside it
        # Only images can be transformed, and a link leads from files as well.
        if "transformClass" in case.query:
            case.query["transformClass"] = "original"
    if case.headers:
        # Nobody can guess a version.
        case.headers.pop("If-Match", None)
        # A key may not be used twice for different requests.
        if "Idempotency-Key" in case.headers:
            case.headers["Idempotency-Key"] = f"run-{next(_numbers)}"
    if isinstance(case.body, dict):
        _without_contradictions(case.body)
        # Whole batches are refused for one operation, such as on a task that is not there.
        case.body.pop("atomic", None)
        _with_one_size(case.body)
        if isinstance(case.body.get("size"), int | float):
            case.body["size"] = min(case.body["size"], _LARGEST)


def _without_contradictions(body: dict[str, Any]) -> None:
    """Members of which each is fine alone."""
    for flag, member in (("clearDueAt", "dueAt"), ("clearReminder", "reminder"), ("boardId", "board")):
        if flag in body and member in body:
            del body[flag]
    if body.get("board") is None and body.get("boardId") is None:
        body.pop("columnId", None)  # it is a column of no board
    body.pop("attachments", None)  # nobody can guess an asset
    if "title" in body:
        for place in ("boardId", "columnId"):  # of a new task: nobody can guess a board
            body.pop(place, None)


def _with_one_size(body: dict[str, Any]) -> None:
    """A replace says what its bytes are."""
    if "imageData" in body and "size" in body:
        body["size"] = len(base64.b64decode(body["imageData"]))
        body["mimeType"] = "image/png"
