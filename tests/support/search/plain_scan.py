"""Tells what a search has to find, by reading every text: no index, no terms, no SQL."""

from collections.abc import Sequence
from typing import NamedTuple

from stowboard.search.asked import Needle, ParsedQuery, fold_tag
from stowboard.search.words import words_of


class Text(NamedTuple):
    """A thing that can be found, as its owner wrote it."""

    id: str
    scope: str
    title: str
    texts: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


def has_words(text: Text, asked: ParsedQuery) -> bool:
    """True if all that is said of words and tags holds."""
    tags = {fold_tag(tag) for tag in text.tags}
    parts = [words_of(part) for part in (text.title, *text.texts, *text.tags)]
    return (
        all(_has(parts, needle) for needle in asked.needles)
        and not any(_has(parts, needle) for needle in asked.not_needles)
        and set(asked.tags) <= tags
        and not set(asked.not_tags) & tags
    )


def _has(parts: Sequence[list[str]], needle: Needle) -> bool:
    return any(_is_at(words[begin:], needle) for words in parts for begin in range(len(words)))


def _is_at(words: list[str], needle: Needle) -> bool:
    *closed, last = needle.words
    if len(words) < len(needle.words) or words[: len(closed)] != closed:
        return False
    word = words[len(closed)]
    return word.startswith(last) if needle.open_end else word == last
