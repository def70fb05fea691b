"""Whether a JPEG is there to its end, by its markers alone.

The end is all that decoding asks of the bytes behind the header: what is missing or broken before it becomes grey. That
holds for a picture of one scan without restarts, as most cameras write it. Of any other one the answer is no, and
somebody has to decode it.
"""

from mmap import mmap

#: Markers: of a header whose picture is in Huffman code and not progressive, of restarts, of a scan, and of the end.
_PLAIN, _RESTARTS, _SCAN, _END = {0xC0, 0xC1}, 0xDD, 0xDA, b"\xff\xd9"
#: Where the number of components is written behind a header and a scan.
_COMPONENTS, _SCANNED = 9, 4
#: Before the scan. Cameras write a dozen; a colour profile may take 255. A million would take longer than to decode it.
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
