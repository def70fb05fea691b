"""Tags and places by their names: `#ops`, `#"two words"`, `@house`, `@house/in-progress`, `@"My board"/done`.

Boards and columns are found whatever the case, with `-` or `_` for spaces. A name that fits nothing, or two things,
stays in the title, and so does `#123`, which is more likely a number than a tag.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from stowboard.core.errors import Problem
from stowboard.core.plain_text import stream_safe
from stowboard.core.tags import checked_tags
from stowboard.tasks.base.task import BoardId, ColumnId, Status
from stowboard.tasks.quick.tokenise import LineToken

_BEHIND = ".,;:!?)"
_QUOTES = '"“”'
_NAME = r'"[^"]+"|“[^”]+”|[^/"“”]+'
_PLACE = re.compile(rf"@({_NAME})(?:/({_NAME}))?")
_SPACES = re.compile(r"[\s_-]+")


class NamedColumn(msgspec.Struct, frozen=True):
    id: ColumnId
    name: str
    status: Status


class NamedBoard(msgspec.Struct, frozen=True):
    id: BoardId
    columns: Sequence[NamedColumn]


#: By their normal names.
Boards = Mapping[str, NamedBoard]


class NamedPlace(msgspec.Struct, frozen=True):
    board: NamedBoard
    column: NamedColumn | None


def read_tag(token: LineToken) -> str | None:
    if not token.text.startswith("#"):
        return None
    text = token.text[1:].rstrip(_BEHIND)
    name = _unquoted(text)
    if name == text and (name.isdigit() or name.startswith("#")):
        return None
    try:
        [tag] = checked_tags([name])
    except Problem:
        return None
    return tag


def board_names(tokens: Sequence[LineToken]) -> Iterator[str]:
    """The normal names of what may be boards."""
    for token in tokens:
        found = _place(token)
        if found:
            yield found[0]


def read_place(token: LineToken, boards: Boards) -> NamedPlace | None:
    found = _place(token)
    board = boards.get(found[0]) if found else None
    if found is None or board is None:
        return None
    if found[1] is None:
        return NamedPlace(board, None)
    columns = [column for column in board.columns if normal_name(column.name) == found[1]]
    return NamedPlace(board, columns[0]) if len(columns) == 1 else None


def normal_name(name: str) -> str:
    return _SPACES.sub("-", unicodedata.normalize("NFKC", stream_safe(name)).casefold()).strip("-")


def _place(token: LineToken) -> tuple[str, str | None] | None:
    found = _PLACE.fullmatch(token.text.rstrip(_BEHIND))
    if found is None:
        return None
    board, column = found.groups()
    return normal_name(_unquoted(board)), normal_name(_unquoted(column)) if column else None


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 2 and text[0] in _QUOTES and text[-1] in _QUOTES else text
