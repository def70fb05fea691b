"""Short blobs in memory: what is kept, and what makes room."""

from hypothesis import given
from hypothesis import strategies as st

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.lately import ENTRY_BYTES, LONGEST, Lately

MOST = 100 + 2 * ENTRY_BYTES


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 60)), max_size=200))
def test_there_is_never_more_than_was_allowed_and_what_is_there_is_true(asked: list[tuple[int, int]]) -> None:
    lately = Lately(MOST)
    blobs: dict[BlobKey, bytes] = {}
    for number, size in asked:
        key = BlobKey(f"derived/{number}")
        data = blobs.setdefault(key, bytes([number]) * size)
        lately.keep(key, data)
        assert lately.find(key) == data, "what was kept last is there"
        kept = {each: found for each in blobs if (found := lately.find(each)) is not None}
        assert kept.items() <= blobs.items()
        assert sum(len(each) + ENTRY_BYTES for each in kept.values()) <= MOST


def test_the_first_one_makes_room() -> None:
    lately = Lately(MOST)
    one, two, three = (BlobKey(f"derived/{name}") for name in "abc")
    for key in (one, two, three):
        lately.keep(key, bytes(40))
    assert [lately.find(key) is None for key in (one, two, three)] == [True, False, False]


def test_what_is_long_is_not_kept() -> None:
    lately, key = Lately(), BlobKey("derived/a")
    lately.keep(key, bytes(LONGEST + 1))
    assert lately.find(key) is None
    lately.keep(key, bytes(LONGEST))
    assert lately.find(key) is not None
