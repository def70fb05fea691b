"""Tags: in Unicode's composed form (NFC), trimmed, each once, in the order they were given."""

import unicodedata
from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from stowboard.core.errors import InvalidParameter, TooManyItems, ValidationFailed
from stowboard.core.plain_text import CONTROLS, SPACES, check_line, line_schema

MAX_TAGS = 50
MAX_TAG = 64
#: At most four characters are composed to one.
_UNCOMPOSED = 4 * MAX_TAG
Tag = Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_TAG, **line_schema(f",{CONTROLS}")})]
#: As a member of a body; `checked_tags` has the say.
Tags = Annotated[
    list[Tag], Meta(description="Each 1 to 64 characters without a comma.", extra_json_schema={"maxItems": MAX_TAGS})
]
#: As a parameter of a list; `tags_asked_for` reads it.
TagsFilter = Annotated[
    str,
    Meta(
        description="Comma-separated; those that have all of these tags.",
        extra_json_schema={"pattern": rf"^(?=[^\x00]*[^{SPACES},])([^,]{{0,{_UNCOMPOSED}}},)*[^,]{{0,{_UNCOMPOSED}}}$"},
    ),
]


def checked_tags(tags: list[str]) -> list[str]:
    """The tags as they are stored. Raises TooManyItems or ValidationFailed."""
    normal = composed_tags(tags)
    for tag in normal:
        if not 1 <= len(tag) <= MAX_TAG:
            raise ValidationFailed(f"tags: each tag needs 1 to {MAX_TAG} characters.")
        if "," in tag:
            raise ValidationFailed("tags: a tag has no comma; send each tag as an item of its own.")
        check_line("tags", tag)
    return normal


def checked_tag(member: str, tag: str) -> str:
    """One tag, the member of a body. Raises ValidationFailed."""
    try:
        return checked_tags([tag])[0]
    except ValidationFailed as problem:
        raise ValidationFailed(problem.message.replace("tags:", f"{member}:", 1)) from None


def renamed(tags: list[str], old: str, new: str) -> list[str]:
    """The tags with `old` replaced by `new`, in its place; if both are there, one stays."""
    return list(dict.fromkeys(new if tag == old else tag for tag in tags))


def tags_asked_for(text: str) -> tuple[str, ...]:
    """The tags of a list's filter, separated by commas. Raises TooManyItems, and InvalidParameter if there are none."""
    if not (tags := tuple(tag for tag in composed_tags(text.split(",")) if tag)):
        raise InvalidParameter("tags: expected at least one tag; leave the parameter out for all.")
    return tags


def composed_tags(tags: Iterable[str]) -> list[str]:
    """Raises TooManyItems, and ValidationFailed for a tag that is too long to be composed."""
    normal = list(dict.fromkeys([_composed(tag.strip()) for tag in tags]))
    if len(normal) > MAX_TAGS:
        raise TooManyItems(f"tags: expected at most {MAX_TAGS}.")
    return normal


def _composed(tag: str) -> str:
    if len(tag) > _UNCOMPOSED:  # composing a long run of marks takes the square of its length
        raise ValidationFailed(f"tags: each tag needs 1 to {MAX_TAG} characters.")
    return unicodedata.normalize("NFC", tag).strip()
