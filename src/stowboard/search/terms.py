"""A query as terms of an index, and as parts to search for in the texts of candidates.

Beginnings of words are terms of their own if they have one of some lengths. Another beginning is looked for in one of
two ways. Either by the longest such term in it, and then the texts decide: this is quick if many candidates pass. Or by
all words that begin with it: this is quick if such words are few.
"""

from typing import NamedTuple

from stowboard.search.asked import Needle, ParsedQuery
from stowboard.search.document import part_of_text, tag_mark

#: The first characters of a word, in these numbers, are terms of their own. FTS5 has only the two longest.
BEGINNINGS = (1, 2, 3, 5)


class SearchTerms(NamedTuple):
    #: A match has all words and all beginnings. A beginning may have a length that no term has.
    words: tuple[str, ...]
    beginnings: tuple[str, ...]
    not_words: tuple[str, ...]
    #: Parts that the texts of a match do not have.
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
    """The longest term that is the whole beginning, or the first characters of it."""
    return beginning[: max(length for length in BEGINNINGS if length <= len(beginning))]


def _is_term(needle: Needle) -> bool:
    """True if one term says the same as the needle."""
    return len(needle.words) == 1 and (not needle.open_end or len(needle.words[0]) in BEGINNINGS)
