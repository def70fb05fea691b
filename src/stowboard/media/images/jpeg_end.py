"""Find the end marker of a JPEG without decoding it.

Behind the header, decoding requires nothing but this marker: it paints missing or broken parts grey. That holds for a
picture of one scan without restarts, as most cameras write it. For any other one the answer is False, and it has to be
decoded.
"""

from mmap import mmap

#: Markers: a header of a picture in Huffman code that is not progressive, restarts, a scan, the end.
_PLAIN, _RESTARTS, _SCAN, _END = {0xC0, 0xC1}, 0xDD, 0xDA, b"\xff\xd9"
#: Positions of the number of components, behind the markers of a header and of a scan.
_COMPONENTS, _SCANNED = 9, 4
#: Before the scan. Cameras write a dozen, a colour profile may take 255. To walk a million takes longer than decoding.
_MOST_SEGMENTS = 1000


def has_end(data: bytes | mmap) -> bool:
    at, components = 2, b""
    for _ in range(_MOST_SEGMENTS):
        head = data[at : at + 4]
        if len(head) < 4 or head[0] != 0xFF or head[1] == _RESTARTS:
            break
        marker, behind = head[1], at + 2 + int.from_bytes(head[2:], "big")
        if marker == _SCAN:
            scanned = data[at + _SCANNED : at + _SCANNED + 1]
            return scanned == components != b"" and data.rfind(_END, behind) >= 0
        if marker in _PLAIN:
            components = data[at + _COMPONENTS : at + _COMPONENTS + 1]
        at = behind
    return False
