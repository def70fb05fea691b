"""Tags, of whatever has them: trimmed, each once, in the order they were given."""

import re
from typing import Annotated

from msgspec import Meta

from stowboard.core.errors import InvalidParameter, ValidationFailed

MAX_TAGS = 50
MAX_TAG = 64
Tag = Annotated[
    str,
    Meta(
        extra_json_schema={
            "minLength": 1, "maxLength": MAX_TAG, "pattern": r"^(?=.*\S)[^,\x00-\x1f\x7f-\x9f\u2028\u2029]+$"
        }
    ),
]  # fmt: skip
#: As a member of a body; `checked_tags` has the say.
Tags = Annotated[list[Tag], Meta(max_length=MAX_TAGS, description="Each 1 to 64 characters without a comma.")]

#: Commas, control characters, line ends. Joiners are left: families of emoji and Persian words are written with them.
_NOT_IN_TAGS = re.compile("[,\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def checked_tags(tags: list[str]) -> list[str]:
    """Trimmed, each once, in the given order. Raises ValidationFailed."""
    trimmed = list(dict.fromkeys(tag.strip() for tag in tags))
    if len(trimmed) > MAX_TAGS:
        raise ValidationFailed(f"tags: expected at most {MAX_TAGS}.")
    for tag in trimmed:
        if not 1 <= len(tag) <= MAX_TAG:
            raise ValidationFailed(f"tags: each tag needs 1 to {MAX_TAG} characters.")
        if _NOT_IN_TAGS.search(tag):
            raise ValidationFailed("tags: a tag may have neither commas nor control characters.")
    return trimmed


def tags_asked_for(text: str | None) -> tuple[str, ...]:
    """The tags of a list's filter, separated by commas. Raises InvalidParameter."""
    tags = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip())) if text else ()
    if len(tags) > MAX_TAGS:
        raise InvalidParameter(f"tags: expected at most {MAX_TAGS}.")
    return tags
