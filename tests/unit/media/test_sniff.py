"""The type of a file is told by its bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.media.base.sniff import SNIFF_BYTES, UNKNOWN, mime_type, sniff

PACKET = b"\x47" + bytes(187)
SIGNED = {
    "image/jpeg": [b"\xff\xd8\xff\xe0\x00\x10JFIF", b"\xff\xd8\xff\xdb"],
    "image/png": [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"],
    "image/gif": [b"GIF87a\1\0\1\0", b"GIF89a\1\0\1\0", b"GIF89a=alert(1);/*"],
    "image/webp": [b"RIFF\x24\0\0\0WEBPVP8 "],
    "image/avif": [
        b"\0\0\0\x20ftypavif\0\0\0\0avifmif1",
        b"\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf",
        b"\0\0\0\x14ftypavis",
    ],
    "image/heic": [b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic"],
    "image/heif": [b"\0\0\0\x14ftypmif1\0\0\0\0mif1"],
    "image/tiff": [b"II*\0\x08\0\0\0", b"MM\0*\0\0\0\x08", b"II+\0\x08\0\0\0"],
    "image/bmp": [b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0"],
    "application/pdf": [b"%PDF-1.7\n"],
    "application/zip": [b"PK\x03\x04" + bytes(40), b"PK\x05\x06" + bytes(18)],
    "application/epub+zip": [b"PK\x03\x04" + bytes(22) + b"\x08\0\0\0mimetypeapplication/epub+zipPK"],
    "application/gzip": [b"\x1f\x8b\x08\0"],
    "video/mp4": [b"\0\0\0\x18ftypisom\0\0\2\0isommp41", b"\0\0\0\x18ftypmp42"],
    "video/quicktime": [b"\0\0\0\x14ftypqt  \0\0\2\0qt  ", b"\0\0\0\x08wide\0\0\0\0mdat", b"\0\0\1\0moov"],
    "video/x-m4v": [b"\0\0\0\x18ftypM4V \0\0\0\1isom"],
    "audio/mp4": [b"\0\0\0\x18ftypM4A \0\0\0\0M4A "],
    "video/3gpp": [b"\0\0\0\x18ftyp3gp4\0\0\0\0isom"],
    "video/webm": [b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\1\x42\xf7\x81\1\x42\xf2\x81\4\x42\xf3\x81\x08\x42\x82\x84webm"],
    "video/x-matroska": [b"\x1a\x45\xdf\xa3\xa3\x42\x86\x81\1\x42\x82\x88matroska"],
    "video/x-msvideo": [b"RIFF\x24\0\0\0AVI LIST"],
    "video/mp2t": [PACKET * 5, bytes(4) + (PACKET + bytes(4)) * 4],
    "video/x-flv": [b"FLV\x01\5\0\0\0\x09"],
    "video/mpeg": [b"\0\0\x01\xba\x44", b"\0\0\x01\xb3\x14"],
    "video/ogg": [b"OggS\0\2" + bytes(22) + b"\x80theora"],
    "audio/ogg": [b"OggS\0\2" + bytes(22) + b"OpusHead", b"OggS\0\2" + bytes(22) + b"\x01vorbis"],
    "application/ogg": [b"OggS\0\2" + bytes(22)],
    "audio/mpeg": [b"ID3\4\0\0\0\0\0\0", b"\xff\xfb\x90\x64", b"\xff\xf3\x40\xc4"],
    "audio/aac": [b"\xff\xf1\x50\x80"],
    "audio/wav": [b"RIFF\x24\0\0\0WAVEfmt "],
    "audio/flac": [b"fLaC\0\0\0\x22"],
    "image/svg+xml": [
        b'<svg xmlns="http://www.w3.org/2000/svg">',
        b'\xef\xbb\xbf\n <?xml version="1.0"?>\n<!-- drawn -->\n<svg>',
        b'<?xml version="1.0"?><s:svg xmlns:s="http://www.w3.org/2000/svg">',
        b"<!DOCTYPE svg PUBLIC ''>",
    ],
    "text/html": [b"<!doctype HTML><p>", b"  <html lang=en>", b"<!-- a --><html>", b"<script>alert(1)</script>"],
    "application/xml": [b"<?xml version='1.0'?><rss>"],
}


@pytest.mark.parametrize(("expected", "head"), [(kind, head) for kind, heads in SIGNED.items() for head in heads])
def test_a_signature_is_recognised(expected: str, head: bytes) -> None:
    assert sniff(head) == expected
    assert mime_type(head, "text/plain", "notes.txt") == expected, "the bytes are believed before the client"


@pytest.mark.parametrize(
    "head",
    [
        b"", b"hello", b"BM is how this text begins", b"\xff\xfe\x90\x64 UTF-16", b"\xff\xfb\xf0\x00",
        b"RIFF\0\0\0\0ELSE",
        b"<p>a paragraph", b"GIF90a", b"PK", b"{}", "żółć".encode(), b"\x47" * 188,
    ],
)  # fmt: skip
def test_what_has_no_signature_is_not_guessed(head: bytes) -> None:
    assert sniff(head) is None


@pytest.mark.parametrize(
    ("head", "declared", "filename", "expected"),
    [
        (b"a,b", "text/csv", "x.txt", "text/csv"),
        (b"a,b", "Text/CSV; charset=utf-8", "x.txt", "text/csv"),
        (b"a,b", None, "TABLE.CSV", "text/csv"),
        (b"# Hello", None, "README.md", "text/markdown"),
        (b"a,b", "nonsense", "x.txt", "text/plain"),
        (b"a,b", "a/b/c", "x", UNKNOWN),
        (b"a,b", "text/html\r\nx-evil: 1", "x", UNKNOWN),
        (b"a,b", "application/octet-stream", "x.json", "application/json"),
        (b"a,b", None, "noextension", UNKNOWN),
        (b"a,b", None, "csv", UNKNOWN),
        (b"a,b", "", "", UNKNOWN),
        (b"a,b", "text/" + "x" * 65, "", UNKNOWN),
    ],
)
def test_without_a_signature_the_declared_type_counts_then_the_extension(
    head: bytes, declared: str | None, filename: str, expected: str
) -> None:
    assert mime_type(head, declared, filename) == expected


WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
ZIP, XML = b"PK\x03\x04" + bytes(40), b"<?xml version='1.0'?><rss>"


@pytest.mark.parametrize(
    ("head", "declared", "filename", "expected"),
    [
        (ZIP, WORD, "x", WORD),
        (ZIP, None, "letter.docx", WORD),
        (ZIP, "text/html", "x.html", "application/zip"),
        (ZIP, "image/png", "letter.docx", WORD),
        (XML, "application/rss+xml", "x", "application/rss+xml"),
        (XML, "text/html", "x", "application/xml"),
        (b"<svg>", "application/rss+xml", "x", "image/svg+xml"),
        (b"\0\0\0\x18ftypisom", "audio/mp4", "x", "audio/mp4"),
        (b"\0\0\0\x18ftypisom", "video/quicktime", "x", "video/mp4"),
    ],
)
def test_of_a_container_the_client_may_say_more(
    head: bytes, declared: str | None, filename: str, expected: str
) -> None:
    assert mime_type(head, declared, filename) == expected


@given(head=st.binary(max_size=SNIFF_BYTES), declared=st.none() | st.text(), filename=st.text())
def test_whatever_comes_there_is_a_well_formed_type(head: bytes, declared: str | None, filename: str) -> None:
    kind, _, subtype = mime_type(head, declared, filename).partition("/")
    assert kind
    assert subtype
    assert (kind + subtype).isascii()
    assert not any(letter in kind + subtype for letter in '/ ;,"\r\n')
