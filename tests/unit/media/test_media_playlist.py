"""The media playlist: only numbers are taken from ffmpeg's, and they must describe the one file."""

import pytest

from stowboard.media.videos.ffmpeg.playlist import MediaPlaylist, PlaylistSegment, UnexpectedPlaylist, read_playlist

GOOD = """#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:4
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-MAP:URI="240p.mp4",BYTERANGE="100@0"
#EXTINF:4.000000,
#EXT-X-BYTERANGE:50@100
240p.mp4
#EXTINF:1.500000,
#EXT-X-BYTERANGE:30@150
240p.mp4
#EXT-X-ENDLIST
"""
PLAYLIST = MediaPlaylist(100, [PlaylistSegment(4.0, 100, 50), PlaylistSegment(1.5, 150, 30)])


def test_what_ffmpeg_wrote_is_understood() -> None:
    assert read_playlist(GOOD, "240p.mp4", 180) == PLAYLIST


def test_what_is_written_is_understood_again() -> None:
    text = PLAYLIST.text("other.mp4")
    assert read_playlist(text, "other.mp4", 180) == PLAYLIST
    assert "#EXT-X-TARGETDURATION:4\n" in text


def test_the_bandwidth_is_that_of_the_costliest_segment() -> None:
    assert PLAYLIST.bandwidth == 8 * 30 / 1.5 + 1


def test_the_average_bandwidth_is_that_of_all_segments() -> None:
    assert PLAYLIST.average_bandwidth == int(8 * 80 / 5.5) + 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n240p.mp4\n", "\nhttp://evil.test/x.mp4\n"),
        ('URI="240p.mp4"', 'URI="file:///etc/passwd"'),
        ("50@100", "50@99"),
        ("30@150", "31@150"),
        ("#EXT-X-MEDIA-SEQUENCE:0", '#EXT-X-KEY:METHOD=AES-128,URI="x"'),
        ("#EXTINF:4.000000,", "#EXTINF:-4.0,"),
    ],
)
def test_anything_else_is_refused(old: str, new: str) -> None:
    assert old in GOOD
    with pytest.raises(UnexpectedPlaylist):
        read_playlist(GOOD.replace(old, new, 1), "240p.mp4", 180)


def test_an_empty_playlist_is_refused() -> None:
    with pytest.raises(UnexpectedPlaylist):
        read_playlist("#EXTM3U\n#EXT-X-ENDLIST\n", "240p.mp4", 0)
