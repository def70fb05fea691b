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
