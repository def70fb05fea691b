"""Secrets that have to be readable again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.core.sealing import SealedElsewhere, Sealing

KEY, OTHER = "k" * 32, "o" * 32


@given(st.binary(max_size=200))
def test_what_was_sealed_opens_again_and_shows_nothing(plain: bytes) -> None:
    sealing = Sealing(KEY)
    sealed = sealing.seal("webhook", plain)
    assert sealing.open("webhook", sealed) == plain
    assert len(plain) < 4 or plain not in sealed
    assert sealed != sealing.seal("webhook", plain)


@pytest.mark.parametrize("key", [OTHER, None])
def test_another_key_or_none_opens_nothing(key: str | None) -> None:
    with pytest.raises(SealedElsewhere, match="STOWBOARD_SECRET_KEY"):
        Sealing(key).open("webhook", Sealing(KEY).seal("webhook", b"secret"))


def test_what_was_sealed_for_one_use_does_not_open_for_another() -> None:
    with pytest.raises(SealedElsewhere):
        Sealing(KEY).open("smtp", Sealing(KEY).seal("webhook", b"secret"))


@pytest.mark.parametrize("place", [0, 5, 20, -1])
def test_a_changed_byte_is_noticed(place: int) -> None:
    sealed = bytearray(Sealing(KEY).seal("webhook", b"secret"))
    sealed[place] ^= 2
    with pytest.raises(SealedElsewhere):
        Sealing(KEY).open("webhook", bytes(sealed))


def test_what_was_kept_before_there_was_a_key_can_still_be_read() -> None:
    assert Sealing(KEY).open("webhook", Sealing(None).seal("webhook", b"secret")) == b"secret"
