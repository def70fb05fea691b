"""Headers that say how bytes are shown and saved: nothing that was stored can break out of them."""

import re
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stowboard.media.base.disposition import OPAQUE, Disposition, content_disposition, content_type

HEADER = re.compile(
    r'(?P<shown>inline|attachment); filename="(?P<plain>[^"\\%/?\x00-\x1f\x7f-\uffff]+)"; '
    r"filename\*=UTF-8''(?P<full>(?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})+)"
)


@given(name=st.text(st.characters(), max_size=80), wanted=st.sampled_from(Disposition))
@example(name='a"; filename="b.exe', wanted=Disposition.INLINE)
@example(name="a\r\nSet-Cookie: x=1\r\n\r\n<html>", wanted=Disposition.INLINE)
@example(name="\ud800", wanted=Disposition.INLINE)
@example(name="=?utf-8?q?a=0D=0Aset-cookie:_x=3D1?=.png", wanted=Disposition.INLINE)
@example(name="..\\..\\up", wanted=Disposition.INLINE)
@example(name="\uff05\uff12e.txt", wanted=Disposition.INLINE)
def test_any_name_makes_one_well_formed_header(name: str, wanted: Disposition) -> None:
    match = HEADER.fullmatch(content_disposition("image/png", name, wanted))
    assert match
    assert match["shown"] == wanted
    full = unquote(match["full"], errors="strict")
    assert not re.search(r"[/\\\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", full)


@pytest.mark.parametrize(
    "name",
    [
        "snow ☃.png", "мама.txt", "写真 2026.jpg", "كتاب.pdf", "👩\u200d👩\u200d👧.gif", "a'b(c)*.txt", "100%.csv",
    ],
)  # fmt: skip
def test_names_of_every_script_arrive_as_they_are(name: str) -> None:
    match = HEADER.fullmatch(content_disposition("image/png", name))
    assert match
    assert unquote(match["full"]) == name


@pytest.mark.parametrize(
    ("name", "plain"), [("résumé.pdf", "resume.pdf"), ("100%.csv", "100_.csv"), ("写真.jpg", "__.jpg"), ("", "file")]
)
def test_old_clients_get_a_name_in_ascii(name: str, plain: str) -> None:
    assert f'filename="{plain}"' in content_disposition("image/png", name)


def test_a_name_cannot_turn_its_own_ending_around() -> None:
    assert "%E2%80%AE" not in content_disposition("image/png", "photo\u202egnp.exe")


@pytest.mark.parametrize(
    "mime_type", ["image/jpeg", "image/png", "IMAGE/GIF", "image/avif", "audio/mpeg", "video/mp4", "text/plain"]
)
def test_what_cannot_run_anything_is_shown_unless_it_is_to_be_saved(mime_type: str) -> None:
    assert content_disposition(mime_type, "x").startswith("inline;")
    assert content_disposition(mime_type, "x", Disposition.ATTACHMENT).startswith("attachment;")


@pytest.mark.parametrize(
    "mime_type",
    [
        "text/html", "image/svg+xml", "application/xhtml+xml", "text/xml", "application/pdf", "application/xml",
        "text/javascript", "application/octet-stream", "image/unknown", "text/css", "multipart/related",
        "message/rfc822",
        "text/plain; charset=utf-7", "", "image", "video",
    ],
)  # fmt: skip
def test_everything_else_is_saved_also_if_a_link_says_otherwise(mime_type: str) -> None:
    assert content_disposition(mime_type, "x", Disposition.INLINE).startswith("attachment;")


@pytest.mark.parametrize("mime_type", ["image/png", "text/html", "application/vnd.ms-excel", "image/svg+xml"])
def test_the_type_is_said_as_it_was_stored(mime_type: str) -> None:
    assert content_type(mime_type) == mime_type


@pytest.mark.parametrize(
    "mime_type",
    ["text/html\r\nx: y", "text", "", "text/html; charset=utf-7", "tex t/html", "text/ht\nml", "é/b", "a/b" + "c" * 99],
)
def test_what_is_no_type_is_not_said(mime_type: str) -> None:
    assert content_type(mime_type) == OPAQUE


@pytest.mark.parametrize(
    "mime_type", ["text/javascript", "application/x-javascript", "application/ecmascript", "text/JScript"]
)
def test_scripts_are_not_called_scripts(mime_type: str) -> None:
    assert content_type(mime_type) == OPAQUE
