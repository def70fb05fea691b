"""The index's view of a thing: its words, its scope and its tags.

Texts are words with a space on either side of each, so that words next to each other are a part of the text, and a
database finds them without knowing what a word is. A bar stands between two texts, so that no phrase spans both.
"""

import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from stowboard.core.reach import LIBRARY
from stowboard.search.asked import TAGGED, Needle, fold_tag
from stowboard.search.long_texts import words_in
from stowboard.search.words import words_of

#: The scopes of an owner's assets, videos and tasks begin with these. Words have no underscore.
_ASSETS, _VIDEOS, _TASKS = "_a", "_v", "_t"
_BAR = "|"


class SearchDocument(NamedTuple):
    id: str
    #: The scope to which it belongs. `rest` begins with it, too.
    scope: str
    title: str
    rest: str


def describe(
    subject: str, scope: str, title: str, texts: Iterable[str | None], tags: Sequence[str], read: Iterable[str] = ()
) -> SearchDocument:
    """The document of the thing with this id. `read` are the words of further texts that were read before."""
    rest = [scope]
    for words in (*(words_in(text) for text in texts if text), *read):
        if words:
            rest += (_BAR, words)
    if tags:
        rest += (_BAR, TAGGED, *map(_of_tag, tags))
    return SearchDocument(subject, scope, f" {' '.join(words_of(title))} ", f" {' '.join(rest)} ")


@lru_cache(4096)
def tasks_of(owner: str, archived: bool) -> str:
    """The scope of an owner's archived tasks, or that of the others."""
    return f"{_TASKS}{int(archived)}{_digest(owner)}"


@lru_cache(4096)
def assets_of(owner: str) -> str:
    """The scope of a space's assets."""
    return _ASSETS + ("" if owner == LIBRARY else _digest(owner))


@lru_cache(4096)
def videos_of(owner: str) -> str:
    """The scope of a space's videos."""
    return _VIDEOS + ("" if owner == LIBRARY else _digest(owner))


@lru_cache(4096)
def tag_mark(tag: str) -> str:
    """The word that stands for a whole tag, whatever characters the tag has."""
    return f"_g{_digest(fold_tag(tag))}"


def part_of_text(needle: Needle) -> str:
    """The part of a text that has these words."""
    return f" {' '.join(needle.words)}{'' if needle.open_end else ' '}"


@lru_cache(4096)
def _of_tag(tag: str) -> str:
    return " ".join([_BAR, tag_mark(tag), _BAR, *words_of(tag)])


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
