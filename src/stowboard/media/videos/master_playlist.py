"""The HLS master playlist of a video (RFC 8216): the made steps of its ladder, for the player to choose."""

from collections.abc import Sequence

from stowboard.media.videos.video import Rung

CONTENT_TYPE = "application/vnd.apple.mpegurl"


def master_playlist(rungs: Sequence[Rung]) -> str:
    """Smallest first: players begin with the first one, and a start without a wait is worth more than a sharp one."""
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"]
    for rung in sorted(rungs, key=lambda rung: rung.bandwidth):
        lines += [f"#EXT-X-STREAM-INF:{_attributes(rung)}", f"{rung.name}.m3u8"]
    return "\n".join(lines) + "\n"


def _attributes(rung: Rung) -> str:
    told = {
        "BANDWIDTH": rung.bandwidth,
        "AVERAGE-BANDWIDTH": rung.average_bandwidth,
        "RESOLUTION": f"{rung.width}x{rung.height}",
        "FRAME-RATE": rung.frame_rate,
        "CODECS": f'"{rung.codecs}"',
    }
    return ",".join(f"{name}={value}" for name, value in told.items() if value is not None)
