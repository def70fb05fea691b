"""Titles and names of people in headers of mail: one header, and the text as it was."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stowboard.events.mail.mailer import Mailer
from stowboard.events.mail.settings import MailSettings
from support.mail.relay import subject_in

OURS = {
    "content-type", "mime-version", "content-transfer-encoding", "from", "to", "subject", "date", "message-id",
    "auto-submitted",
}  # fmt: skip
#: A letter of its own: on some Pythons these line ends were written as they are.
EVIL = "=?utf-8?q?x=0D=0AContent-Type:_text/html=0D=0A=0D=0A<a_href=//evil.example>Pay?="
MAILER = Mailer(MailSettings(None, "stow@example.org"))


@given(st.text(st.characters(), max_size=600))
@example(EVIL)
@example(f"{EVIL} {EVIL}")
@example("=?utf-8?b?" + "DQpCY2M6IGV2aWxAZXZpbC5leGFtcGxlDQoNCg==?=")
@example("a\r\nBcc: evil@evil.example\r\n\r\n<html>")
@example("a\r\n Bcc: evil@evil.example")
@example("".join(map(chr, range(0x250))))
@example("\ud800")
@example("word " * 100)
@example("ü" * 500)
def test_a_subject_is_one_header_and_makes_no_other(subject: str) -> None:
    raw = MAILER.message("id", "ann@example.org", subject, "text").as_bytes()
    head, _, body = raw.partition(b"\n\n")
    assert body == b"text"
    names = [line.partition(b":")[0].decode().lower() for line in head.split(b"\n") if not line.startswith(b" ")]
    assert sorted(names) == sorted(OURS)
    assert re.fullmatch(rb"[\n\x20-\x7e]*", head)
    assert max(map(len, head.split(b"\n"))) <= 78


@pytest.mark.parametrize(
    "subject",
    [EVIL, "Pay the rent", "Käse für Übermorgen", "写真 " * 100, "a=b?c", "x" * 500, "two \U0001f469\u200d\U0001f467"],
)
def test_a_subject_arrives_as_it_was_written(subject: str) -> None:
    raw = MAILER.message("id", "ann@example.org", subject, "text").as_bytes()
    assert subject_in(raw) == subject.strip()


def test_line_ends_and_controls_are_shown_as_what_they_are_not() -> None:
    raw = MAILER.message("id", "ann@example.org", "a\r\nb\x0bc\x00d\x1b\u202ee", "text").as_bytes()
    assert subject_in(raw) == "a b c�d��e"


@pytest.mark.parametrize("text", ["ä\r\nb\n.\nFrom c\n", "x" * 5000, "=?utf-8?q?=0D=0A?=\n"])
def test_a_text_arrives_as_it_was_written(text: str) -> None:
    message = MAILER.message("id", "ann@example.org", "s", text)
    arrived = message.get_payload(decode=True)
    assert isinstance(arrived, bytes)
    assert arrived.decode().splitlines() == text.splitlines()
