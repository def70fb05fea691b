"""Metadata: a caller's own pairs, by which programs find things again, such as a number from another system."""

import re
from typing import Annotated

from msgspec import Meta

from stowboard.core.errors import InvalidParameter, TooManyItems, ValidationFailed

MAX_PAIRS = 32
MAX_NAME = 40
MAX_VALUE = 255
_NAME = re.compile(rf"[A-Za-z0-9_.-]{{1,{MAX_NAME}}}")
#: As a member of a body; `checked_metadata` has the say.
Metadata = Annotated[
    dict[str, Annotated[str, Meta(extra_json_schema={"maxLength": MAX_VALUE})]],
    Meta(
        description="At most 32 pairs: names of 1 to 40 letters, digits, `_`, `.` and `-`, values of at most 255"
        " characters.",
        extra_json_schema={"maxProperties": MAX_PAIRS, "propertyNames": {"pattern": f"^{_NAME.pattern}$"}},
    ),
]
#: As a filter of a list.
AskedPair = Annotated[
    str,
    Meta(
        description="`name:value`; those that have this very pair.",
        extra_json_schema={"pattern": f"^{_NAME.pattern}:"},
    ),
]
Pair = tuple[str, str]


def checked_metadata(pairs: dict[str, str]) -> dict[str, str]:
    """The pairs as they are stored. Raises TooManyItems or ValidationFailed."""
    if len(pairs) > MAX_PAIRS:
        raise TooManyItems(f"metadata: expected at most {MAX_PAIRS} pairs.")
    for name, value in pairs.items():
        if not _NAME.fullmatch(name):
            raise ValidationFailed(
                f"metadata: a name has 1 to {MAX_NAME} letters, digits, '_', '.' and '-'; {name[:MAX_NAME]!r} has not."
            )
        if len(value) > MAX_VALUE:
            raise ValidationFailed(f"metadata.{name}: expected at most {MAX_VALUE} characters.")
    return pairs


def pair_asked_for(text: str) -> Pair:
    """The pair of a list's filter. Raises InvalidParameter."""
    name, separator, value = text.partition(":")
    if not separator or not _NAME.fullmatch(name):
        raise InvalidParameter("metadata: expected a name and a value with a colon between them, such as order:4711.")
    return name, value
