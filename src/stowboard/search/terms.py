"""A query as terms of an index, and as parts that the texts of candidates are searched for.

Beginnings of some lengths are terms of their own. Others are looked for in two ways: by the longest of those terms, and
the texts decide, which is quick if many pass; or by all words that begin so, which is quick if there are few of them.
"""

from typing import NamedTuple

from stowboard.search.asked import Needle, ParsedQuery
from stowboard.search.document import part_of_text, tag_mark

#: So many first characters of a word are a term of their own. FTS5 has the longer two.
BEGINNINGS = (1, 2, 3, 5)


class SearchTerms(NamedTuple):
    #: All of them are wanted. A beginning stands for all words that begin so; its length may be that of no term.
    words: tuple[str, ...]
    beginnings: tuple[str, ...]
    not_words: tuple[str, ...]
    #: Parts that a text must not have.
    not_parts: tuple[str, ...]


def terms_of(asked: ParsedQuery) -> SearchTerms:
    closed = [word for needle in asked.needles for word in needle.words[: len(needle.words) - needle.open_end]]
    last = [needle.words[-1] for needle in asked.needles if needle.open_end]
    plain = [needle for needle in asked.not_needles if _is_term(needle)]
    return SearchTerms(
        words=tuple(dict.fromkeys([*closed, *map(tag_mark, asked.tags)])),
        beginnings=tuple(dict.fromkeys(last)),
        not_words=(*(needle.words[0] for needle in plain), *map(tag_mark, asked.not_tags)),
        not_parts=tuple(part_of_text(needle) for needle in asked.not_needles if needle not in plain),
    )


def term_of(beginning: str) -> str:
    """The longest term that says some of it, or all."""
    return beginning[: max(length for length in BEGINNINGS if length <= len(beginning))]


def _is_term(needle: Needle) -> bool:
    """True if one term says all of it."""
    return len(needle.words) == 1 and (not needle.open_end or len(needle.words[0]) in BEGINNINGS)
