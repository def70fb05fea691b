"""The language of `q`.

water plants            both words, the last one also as the beginning of a longer one
"water the plants"      the words next to each other; without its second quote the last one may be a beginning
-garden                 not this word
tag:home status:todo    filters; also tag:"two words", -tag:home, type:task, due:<2026-12-01
tag: due:               has any tag, has a due date; -tag: and -due: have none

Half a query is a query, as people search while they type. Anything else with a colon, such as an address, is words.
"""

import re
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated, NamedTuple

from msgspec import Meta

from stowboard.core.errors import InvalidParameter
from stowboard.search.words import ends_in_twos, fold, words_of

#: `q` as a parameter.
Query = Annotated[
    str,
    Meta(
        min_length=1, max_length=200,
        description="Words, all of them, the last one also as a beginning; \"a phrase\", -word, tag:, status:, type:,"
        " due:<2026-12-01.",
        # At least one character that is no space and no punctuation.
        extra_json_schema={"format": "search-query", "pattern": r"[^\x00-/:-@\[-`{-\xa9\u2000-\u206f\u3000-\u303f]"},
    ),
]  # fmt: skip


#: Each negated word is looked for in every text that the other words find.
MOST_NEGATED = 10


class SearchType(StrEnum):
    TASK = "task"
    ASSET = "asset"
    VIDEO = "video"


class Needle(NamedTuple):
    """Words next to each other; the last one may be the beginning of a word."""

    words: tuple[str, ...]
    open_end: bool


class DueRange(NamedTuple):
    """Due at `after` or later, and before `before`; if both are None, without a due date."""

    after: int | None
    before: int | None


_ANY_DATE, _NO_DATE = DueRange(0, None), DueRange(None, None)
#: A word of every document that has tags; nobody can write it, as words have no underscore.
TAGGED = "_g"
_ANY_TAG = Needle((TAGGED,), open_end=False)


class ParsedQuery(NamedTuple):
    """A query. A match fulfils all of it."""

    needles: tuple[Needle, ...] = ()
    not_needles: tuple[Needle, ...] = ()
    #: Folded.
    tags: tuple[str, ...] = ()
    not_tags: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    not_statuses: tuple[str, ...] = ()
    types: tuple[SearchType, ...] = tuple(SearchType)
    due: tuple[DueRange, ...] = ()


def read_query(text: str) -> ParsedQuery:
    """Raises InvalidParameter, naming what cannot be understood."""
    items = _items(text)
    given: dict[str, list[str]] = {}
    needles: list[Needle] = []
    not_needles: list[Needle] = []
    due: list[DueRange] = []
    last = next((item for item in reversed(items) if item.filter is None and not item.negated), None)
    for item in items:
        if item.filter is not None and not item.value.strip():
            if item.filter == "tag":
                (not_needles if item.negated else needles).append(_ANY_TAG)
            elif item.filter == "due":
                due.append(_NO_DATE if item.negated else _ANY_DATE)
        elif item.filter is not None:
            given.setdefault(f"-{item.filter}" if item.negated else item.filter, []).append(item.value)
        elif (needle := _needle(item, item is last and not item.quoted)) is not None:
            (not_needles if item.negated else needles).append(needle)
    if len(not_needles) > MOST_NEGATED:
        raise InvalidParameter(f"q: expected at most {MOST_NEGATED} words with a minus.")
    if not (needles or not_needles or given or due or any(item.filter for item in items)):
        raise InvalidParameter("q: expected at least one word, or a filter such as tag:home.")
    return ParsedQuery(
        needles=tuple(dict.fromkeys(needles)),
        not_needles=tuple(dict.fromkeys(not_needles)),
        tags=tuple(dict.fromkeys(map(fold_tag, given.get("tag", [])))),
        not_tags=tuple(dict.fromkeys(map(fold_tag, given.get("-tag", [])))),
        statuses=tuple(dict.fromkeys(map(_status, given.get("status", [])))),
        not_statuses=tuple(dict.fromkeys(map(_status, given.get("-status", [])))),
        types=_types(given.get("type", []), given.get("-type", [])),
        due=tuple(dict.fromkeys([*due, *map(_due, given.get("due", []))])),
    )


def fold_tag(tag: str) -> str:
    return " ".join(fold(tag).split())


class _Item(NamedTuple):
    negated: bool
    filter: str | None
    value: str
    quoted: bool


_ITEM = re.compile(
    r"""
    (?P<minus>-)? (?: (?P<filter>tag|status|type|due): )?
    (?: "(?P<quoted>[^"]*)(?P<end>"|$) | (?P<plain>[^\s"]\S*)? )
    """,
    re.VERBOSE | re.IGNORECASE,
)
#: The statuses of tasks, assets and videos together.
STATUSES = (
    "todo", "in_progress", "done", "pending", "processing", "ready", "failed", "awaiting_upload", "uploading",
    "expired",
)  # fmt: skip
_COMPARED = re.compile(r"(?P<sign><=|>=|<|>|=)?(?P<day>\d{4}-\d{2}-\d{2})")


def _items(text: str) -> list[_Item]:
    return [_item(found) for found in _ITEM.finditer(text) if found[0]]


def _item(found: re.Match[str]) -> _Item:
    value = found["plain"] or found["quoted"] or ""
    name = found["filter"].lower() if found["filter"] else None
    if name == "due" and found["minus"] and value:
        raise InvalidParameter(f"q: -due:{value} cannot be asked for; turn the comparison round.")
    return _Item(found["minus"] is not None, name, value, quoted=found["end"] == '"')


def _needle(item: _Item, open_end: bool) -> Needle | None:
    """The words to look for; None if the item has no word."""
    words = words_of(item.value)
    if not words:
        return None
    if ends_in_twos(words[-1]):
        # In a text the run may go on, and then its last character is no word there. The pair before has it already, so
        # it is left out.
        if len(words) > 1 and len(words[-1]) == 1 and words[-2].endswith(words[-1]):
            return Needle(tuple(words[:-1]), open_end=False)
        open_end = open_end or len(words[-1]) == 1
    return Needle(tuple(words), open_end)


def _status(value: str) -> str:
    status = value.lower()
    if status not in STATUSES:
        raise InvalidParameter(f"q: there is no status:{value}; expected one of {', '.join(STATUSES)}.")
    return status


def _types(wanted: list[str], unwanted: list[str]) -> tuple[SearchType, ...]:
    only, never = {_type(value) for value in wanted}, {_type(value) for value in unwanted}
    return tuple(kind for kind in SearchType if only <= {kind} and kind not in never)


def _type(value: str) -> SearchType:
    try:
        return SearchType(value.lower())
    except ValueError:
        raise InvalidParameter(f"q: there is no type:{value}; expected one of {', '.join(SearchType)}.") from None


def _due(value: str) -> DueRange:
    """The range of a comparison such as `<2026-12-01`. Days begin and end in UTC."""
    compared = _COMPARED.fullmatch(value)
    try:
        if compared is None:
            raise ValueError
        day = datetime.strptime(compared["day"], "%Y-%m-%d").replace(tzinfo=UTC)
        begin, end = _ms(day), _ms(day + timedelta(days=1))
    except (ValueError, OverflowError):
        raise InvalidParameter(
            f"q: due:{value} is no day; expected such as due:<2026-12-01, due:>=2026-12-01 or due:2026-12-01."
        ) from None
    bounds = {"<": (None, begin), "<=": (None, end), ">": (end, None), ">=": (begin, None)}
    return DueRange(*bounds.get(compared["sign"] or "=", (begin, end)))


def _ms(moment: datetime) -> int:
    return int(moment.timestamp()) * 1000
