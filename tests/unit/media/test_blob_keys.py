import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.blobs.keys import is_key, new_key, parse_key


def test_a_new_key_is_a_key_and_no_two_are_the_same() -> None:
    keys = [new_key("asset") for _ in range(10_000)]
    assert all(is_key(key) for key in keys)
    assert len(set(keys)) == len(keys)


def test_keys_spread_over_the_folders() -> None:
    assert len({new_key("asset").rpartition("/")[0] for _ in range(10_000)}) > 900


def test_a_key_that_was_kept_as_text_comes_back() -> None:
    key = new_key("poster")
    assert parse_key(str(key)) == key


@pytest.mark.parametrize("kind", ["", "Asset", "a/b", "..", "a" * 17, "a_b", "ä", "asset\n"])
def test_a_kind_is_a_short_word(kind: str) -> None:
    with pytest.raises(ValueError, match="kind"):
        new_key(kind)


ULID = "01k9x5v7wq3m8n2b4c6d8e0fgh"


@pytest.mark.parametrize(
    "text",
    [
        "",
        ULID,
        f"asset/{ULID}",
        f"asset/gg/{ULID}",
        f"asset/gh/{ULID}/",
        f"/asset/gh/{ULID}",
        f"asset/gh/{ULID}\n",
        f"asset/gh/{ULID.upper()}",
        f"../asset/gh/{ULID}",
        f"asset/../gh/{ULID}",
        f"asset//gh/{ULID}",
        f"asset\\gh\\{ULID}",
        f"asset/gh/.{ULID[1:]}",
        f"asset/gh/{ULID}\0",
        f"asset/gh/{ULID[:-3]}٣gh",
    ],
)
def test_what_is_not_exactly_a_key_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a key"):
        parse_key(text)


def test_the_table_above_differs_from_a_key_in_one_thing_only() -> None:
    assert is_key(f"asset/gh/{ULID}")


@given(st.text(alphabet="./\\%~-_ \0ab09", max_size=60))
def test_no_text_with_steps_upwards_is_a_key(text: str) -> None:
    assert not (is_key(text) and ("." in text or text.startswith("/")))
