"""Films of high dynamic range (PQ and HLG), brought down to what every screen shows.

The bright parts are rolled off (Hable's curve) in linear light, and the wide colours brought to those of BT.709. This
takes ffmpeg's filters `zscale` and `tonemap`; the ffmpeg that comes with the service has them. An ffmpeg without them
converts the colours only: such a film then looks pale, and the log says so. `libplacebo` would do as well, but needs a
graphics card.
"""

import logging
import re

from stowboard.media.videos.ffmpeg.clip import VideoClip
from stowboard.media.videos.ffmpeg.running import MEBIBYTE, ProgramLimits, read_output

_NEEDED = {"zscale", "tonemap"}
_FILTER = re.compile(r"[A-Z.]{2,3} +(\w+) +\S+->\S+")
#: Nits of what becomes white.
_WHITE = 100
_LIMITS = ProgramLimits(wall_s=60, cpu_s=30, memory=1024 * MEBIBYTE, file_size=MEBIBYTE)

log = logging.getLogger("stowboard.video")


async def tone_mapping(ffmpeg: str, clip: VideoClip) -> str:
    """Filters that bring the film to the usual range, with a comma at the end; "" if it has that range already."""
    if clip.hdr is None:
        return ""
    lines = await read_output([ffmpeg, "-hide_banner", "-filters"], _LIMITS)
    if not {match[1] for match in map(_FILTER.match, lines) if match is not None} >= _NEEDED:
        log.warning("%s lacks the filters zscale and tonemap: a film of high dynamic range will look pale", ffmpeg)
        return "scale=in_color_matrix=bt2020:out_color_matrix=bt709,"
    return (
        f"zscale=tin={clip.hdr}:pin=bt2020:min=bt2020nc:t=linear:npl={_WHITE},format=gbrpf32le,zscale=p=bt709,"
        "tonemap=tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,"
    )
