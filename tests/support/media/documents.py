"""PDFs and sounds made for tests, each of one property that matters; good ones and hostile ones."""

import math
import struct
import zlib
from array import array

#: In points; ISO A4.
A4 = (595, 842)
LOCK = b"/Encrypt<</Filter/Standard/V 1/R 2/O(%s)/U(%s)/P -4>>/ID[<00><00>]" % (b"o" * 32, b"u" * 32)
#: A red square below left, a blue one above right.
SQUARES = b"1 0 0 rg 0 0 200 200 re f 0 0 1 rg 395 642 200 200 re f"


def pdf(pages: int = 1, size: tuple[float, float] = A4, content: bytes = SQUARES, trailer: bytes = b"") -> bytes:
    """All pages have one content."""
    kids = b" ".join(b"%d 0 R" % (4 + number) for number in range(pages))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %s %s]/Contents 3 0 R>>" % tuple(
        str(side).encode() for side in size
    )
    packed = zlib.compress(content)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, pages),
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(packed), packed),
        *[page] * pages,
    ]
    return _file(objects, trailer)


def pdf_of_forms(deep: int = 9, wide: int = 10) -> bytes:
    """A page that draws a form, which draws ten of the next, and so on: 2.5 KB that take any time and memory."""
    draw = b"/F Do " * wide
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(draw), draw),
    ]
    for number in range(deep):
        last = number + 1 == deep
        content = b"0 0 9 9 re f" if last else draw
        below = b"" if last else b"/Resources<</XObject<</F %d 0 R>>>>" % (6 + number)
        head = b"<</Type/XObject/Subtype/Form/BBox[0 0 595 842]%s/Length %d>>" % (below, len(content))
        objects.append(head + b"stream\n" + content + b"\nendstream")
    return _file(objects, b"")


def _file(objects: list[bytes], trailer: bytes) -> bytes:
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, table)
    return bytes(out)


def wav(seconds: float, rate: int = 8000, rising: bool = True) -> bytes:
    """A tone that gets louder and louder, or silence."""
    count = int(seconds * rate)
    values = (rising * 32000 * at / count * math.sin(at * 440 * math.tau / rate) for at in range(count))
    data = array("h", map(int, values)).tobytes()
    head = struct.pack("<4sIHHIIHH4sI", b"fmt ", 16, 1, 1, rate, 2 * rate, 2, 16, b"data", len(data))
    return b"RIFF" + struct.pack("<I", 4 + len(head) + len(data)) + b"WAVE" + head + data
