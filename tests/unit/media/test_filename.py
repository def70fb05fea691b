"""Names of files become harmless, and stay what people would recognise."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.media.base.filename import clean_filename, fitting_filename


@pytest.mark.parametrize(
    ("given_name", "clean"),
    [
        ("harbour.jpg", "harbour.jpg"),
        ("Ünïcödé Ärger.pdf", "Ünïcödé Ärger.pdf"),
        ("صورة من البحر.png", "صورة من البحر.png"),
        ("写真.jpeg", "写真.jpeg"),
        ("👩‍👩‍👧.gif", "👩‍👩‍👧.gif"),  # the joiner in it is no control character
        ("../../etc/passwd", "passwd"),
        ("..\\..\\windows\\system.ini", "system.ini"),
        ("/", "file"),
        ("a.txt\r\nSet-Cookie: x=y", "a.txtSet-Cookie x=y"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ('what? "this": <that>|*.txt', "what this that.txt"),
        ("", "file"),
        ("...", "file"),
        ("  . ", "file"),
        (".env", ".env"),
        ("name.txt. . ", "name.txt"),
        ("con", "_con"),
        ("CON.tar.gz", "_CON.tar.gz"),
        ("lpt1 .txt", "_lpt1 .txt"),
        ("console.txt", "console.txt"),
        ("e\u0301.txt", "é.txt"),
        ("\ud800x.txt", "x.txt"),
    ],
)
def test_names_are_cleaned(given_name: str, clean: str) -> None:
    assert clean_filename(given_name) == clean


def test_a_long_name_is_cut_between_characters_and_keeps_its_ending() -> None:
    assert clean_filename("x" * 300 + ".jpeg") == "x" * 250 + ".jpeg"
    name = clean_filename("語" * 300 + ".png")
    assert name == "語" * 83 + ".png"
    assert len(clean_filename("a." + "b" * 300).encode()) == 255


NAMES = st.text() | st.text(
    st.sampled_from(". \t\u00a0/\\:<>\"'|?*\r\n\u202e\u0301éeconCOMnul1.語=\u0338~"), max_size=40
)


@given(NAMES | st.text(min_size=200, max_size=400))
def test_whatever_the_name_it_is_harmless_afterwards(text: str) -> None:
    name = clean_filename(text)
    assert 1 <= len(name.encode()) <= 255
    assert not set(name) & set('<>:"/\\|?*')
    assert not [char for char in name if unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs")]
    assert name.strip(". ") != ""
    assert name == name.rstrip(". ")
    assert unicodedata.is_normalized("NFC", name)
    assert clean_filename(name) == name


@pytest.mark.parametrize(
    ("name", "mime_type", "fitting"),
    [
        ("harbour.jpg", "image/png", "harbour.png"),
        ("harbour.JPG", "image/jpeg", "harbour.JPG"),
        ("harbour.jpeg", "image/jpeg", "harbour.jpeg"),
        ("harbour", "image/png", "harbour"),
        ("v1.2", "image/png", "v1.2"),
        ("report.pdf", "image/webp", "report.webp"),
        ("report.docx", "application/zip", "report.docx"),
        ("notes.txt", "application/octet-stream", "notes.txt"),
    ],
)
def test_an_ending_that_contradicts_the_bytes_is_changed(name: str, mime_type: str, fitting: str) -> None:
    assert fitting_filename(name, mime_type) == fitting


def test_a_changed_ending_keeps_within_the_limit() -> None:
    assert len(fitting_filename("x" * 251 + ".jpg", "image/webp").encode()) == 255
