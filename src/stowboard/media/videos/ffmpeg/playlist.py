"""The media playlist of a rendition (RFC 8216): which bytes of its one file are which seconds.

ffmpeg's own is read, not kept: only numbers are taken from it, and what is served is written here.
"""

import re

import msgspec

_MAP = re.compile(r'#EXT-X-MAP:URI="([^"]*)",BYTERANGE="(\d+)@(\d+)"')
_DURATION = re.compile(r"#EXTINF:(\d+(?:\.\d+)?),")
_RANGE = re.compile(r"#EXT-X-BYTERANGE:(\d+)@(\d+)")
_TAGS = ("#EXTM3U", "#EXT-X-VERSION:", "#EXT-X-TARGETDURATION:", "#EXT-X-MEDIA-SEQUENCE:", "#EXT-X-PLAYLIST-TYPE:VOD",
         "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-ENDLIST")  # fmt: skip


class UnexpectedPlaylist(Exception):
    """It does not describe the one file that was to be made."""


class PlaylistSegment(msgspec.Struct, frozen=True):
    seconds: float
    start: int
    size: int


class MediaPlaylist(msgspec.Struct, frozen=True):
    header_size: int
    segments: list[PlaylistSegment]

    @property
    def bandwidth(self) -> int:
        """Bits a second of the costliest segment."""
        return max(int(8 * segment.size / max(segment.seconds, 0.001)) + 1 for segment in self.segments)

    @property
    def average_bandwidth(self) -> int:
        """Bits a second of all segments."""
        seconds = sum(segment.seconds for segment in self.segments)
        return int(8 * sum(segment.size for segment in self.segments) / max(seconds, 0.001)) + 1

    def text(self, file: str) -> str:
        longest = max(segment.seconds for segment in self.segments)
        lines = [
            "#EXTM3U",
            "#EXT-X-VERSION:7",
            f"#EXT-X-TARGETDURATION:{max(1, round(longest))}",
            "#EXT-X-MEDIA-SEQUENCE:0",
            "#EXT-X-PLAYLIST-TYPE:VOD",
            "#EXT-X-INDEPENDENT-SEGMENTS",
            f'#EXT-X-MAP:URI="{file}",BYTERANGE="{self.header_size}@0"',
        ]
        for segment in self.segments:
            lines += [f"#EXTINF:{segment.seconds:.6f},", f"#EXT-X-BYTERANGE:{segment.size}@{segment.start}", file]
        return "\n".join([*lines, "#EXT-X-ENDLIST", ""])


def read_playlist(text: str, file: str, file_size: int) -> MediaPlaylist:
    """The segments follow each other from the header to the end of the file. Raises UnexpectedPlaylist."""
    header, segments, seconds, extent = 0, [], None, None
    for line in text.split():
        if match := _MAP.fullmatch(line):
            _require(match[1] == file and match[3] == "0" and not header, line)
            header = int(match[2])
        elif match := _DURATION.fullmatch(line):
            seconds = float(match[1])
        elif match := _RANGE.fullmatch(line):
            extent = int(match[1]), int(match[2])
        elif line == file and seconds is not None and extent is not None:
            segments.append(PlaylistSegment(seconds, start=extent[1], size=extent[0]))
            seconds = extent = None
        else:
            _require(line.startswith(_TAGS), line)
    end = header
    for segment in segments:
        _require(segment.start == end, f"a gap at byte {end}")
        end += segment.size
    _require(bool(header and segments) and end == file_size, f"{end} bytes of {file_size}")
    return MediaPlaylist(header, segments)


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise UnexpectedPlaylist(what[:200])
