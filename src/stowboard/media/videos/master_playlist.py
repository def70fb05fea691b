"""The HLS master playlist of a video (RFC 8216): the made steps of its ladder, for the player to choose."""

from collections.abc import Sequence

from stowboard.media.videos.video import Rung

CONTENT_TYPE = "application/vnd.apple.mpegurl"


def master_playlist(rungs: Sequence[Rung]) -> str:
    """Smallest first: players begin with the first one, and a start without a wait is worth more than a sharp one."""
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"]
    for rung in sorted(rungs, key=lambda rung: rung.bandwidth):
        lines.append(
            f'#EXT-X-STREAM-INF:BANDWIDTH={rung.bandwidth},RESOLUTION={rung.width}x{rung.height},CODECS="{rung.codecs}"'
        )
        lines.append(f"{rung.name}.m3u8")
    return "\n".join(lines) + "\n"
