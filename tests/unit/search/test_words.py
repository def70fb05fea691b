"""Words of texts: the same as if the whole were normalised at once, whatever the text, and in time."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.core.plain_text import stream_safe
from stowboard.search.words import fold, words_of

ODD = "aAzßÅﬁ½ İıſΣςᾳάがｶﾞ각\u1100\u1161\u0610\u0627\u05b8א\u0301\u0323\u0345\u0338\u3099\u093c\u0f73=≠①\u0344K\u20d7"


def folded_at_once(text: str) -> str:
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    without = "".join(char for char in apart if not "\u0300" <= char <= "\u036f")
    return unicodedata.normalize("NFKC", without)


@given(st.text(st.sampled_from(ODD), max_size=25) | st.text(max_size=25))
def test_folding_is_normalising_without_accents(text: str) -> None:
    assert fold(text) == folded_at_once(text)


@pytest.mark.parametrize("mark", ["\u0301", "\u0345", "\u05b0", "\u0f73", "\U0001e94a"])
def test_a_million_marks_are_folded_without_sorting_them(mark: str) -> None:
    assert fold(f"a{mark * 1_000_000}b") == fold(f"a{mark * 30}b")
    assert words_of(f"one {mark * 1_000_000} two")[-1] == "two"


@given(st.lists(st.sampled_from(["a", "\u0301", "\u05b0", "\u0f73", "が"]), max_size=200).map("".join))
def test_no_text_has_more_than_thirty_marks_in_a_row(text: str) -> None:
    assert "\u0301" * 31 not in stream_safe(text)
    if "\u0301" * 31 not in text and "\u05b0" not in text and "\u0f73" not in text:
        assert stream_safe(text) == text
    assert stream_safe(stream_safe(text)) == stream_safe(text)


def test_a_long_text_is_folded_as_its_pieces_are() -> None:
    text = "Größe が か\u3099 " * 1000
    assert fold(text) == folded_at_once(text)
    assert len(fold("\ufdfa" * 100_000)) < 150_000
    assert words_of("猫犬 " * 5000, 3) == ["猫犬", "犬", "猫犬"]
