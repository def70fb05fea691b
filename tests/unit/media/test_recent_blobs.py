"""Short blobs in memory: what is kept, and what makes room."""

from hypothesis import given
from hypothesis import strategies as st

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.recent import ENTRY_BYTES, LONGEST, RecentBlobs

MOST = 100 + 2 * ENTRY_BYTES


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 60)), max_size=200))
def test_there_is_never_more_than_was_allowed_and_what_is_there_is_true(asked: list[tuple[int, int]]) -> None:
    recent = RecentBlobs(MOST)
    blobs: dict[BlobKey, bytes] = {}
    for number, size in asked:
        key = BlobKey(f"derived/{number}")
        data = blobs.setdefault(key, bytes([number]) * size)
        recent.keep(key, data)
        assert recent.find(key) == data, "what was kept last is there"
        kept = {each: found for each in blobs if (found := recent.find(each)) is not None}
        assert kept.items() <= blobs.items()
        assert sum(len(each) + ENTRY_BYTES for each in kept.values()) <= MOST


def test_the_first_one_makes_room() -> None:
    recent = RecentBlobs(MOST)
    one, two, three = (BlobKey(f"derived/{name}") for name in "abc")
    for key in (one, two, three):
        recent.keep(key, bytes(40))
    assert [recent.find(key) is None for key in (one, two, three)] == [True, False, False]


def test_what_is_long_is_not_kept() -> None:
    recent, key = RecentBlobs(), BlobKey("derived/a")
    recent.keep(key, bytes(LONGEST + 1))
    assert recent.find(key) is None
    recent.keep(key, bytes(LONGEST))
    assert recent.find(key) is not None
