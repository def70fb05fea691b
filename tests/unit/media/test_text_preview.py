"""How a text begins: bounded, and only of what is text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.media.base.file_facts import CHARACTERS, LINES, preview_of


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"hello", "hello"),
        ("Grüße\r\nzwei\rdrei".encode(), "Grüße\nzwei\ndrei"),
        (b"\xef\xbb\xbfwith a mark", "with a mark"),
        ("sixteen ✓".encode("utf-16"), "sixteen ✓"),
        (b"<script>alert(1)</script>", "<script>alert(1)</script>"),
        (b"a \x1b[31mcolor\x07 that no page may have", "a [31mcolor that no page may have"),
        (b"an old caf\xe9 in a long enough line", "an old caf\N{REPLACEMENT CHARACTER} in a long enough line"),
        (b"", None),
        (b" \n\n ", None),
        (b"text\0with a zero", None),
        (bytes(range(256)), None),
        (b"\xff\xd8\xff\xe0" * 50, None),
    ],
)
def test_only_text_is_shown_and_only_as_text(data: bytes, expected: str | None) -> None:
    assert preview_of(data, "text/plain", whole=True) == expected


@pytest.mark.parametrize(
    ("mime_type", "shown"),
    [
        ("text/csv", True), ("text/html", True), ("application/json", True), ("application/yaml", True),
        ("application/atom+xml", True), ("application/pdf", False), ("application/octet-stream", False),
        ("image/svg+xml", False), ("application/zip", False),
    ],
)  # fmt: skip
def test_what_is_text_is_told_by_its_type(mime_type: str, shown: bool) -> None:
    assert (preview_of(b"words", mime_type, whole=True) is not None) is shown


def test_a_character_that_is_cut_in_two_is_left_out() -> None:
    head = "ä".encode() * 400
    assert preview_of(head[:-1], "text/plain", whole=False) == "ä" * 399


@given(st.binary() | st.text().map(str.encode), st.booleans())
def test_a_preview_is_bounded_and_has_no_controls(data: bytes, whole: bool) -> None:
    found = preview_of(data * 3, "text/plain", whole=whole)
    if found is not None:
        assert len(found) <= CHARACTERS
        assert found.count("\n") < LINES
        assert all(each >= " " or each in "\t\n" for each in found)
        found.encode()
