"""ffmpeg's encoders of H.264: libx264 on the processor, or one of a device, which is tried before it is relied on.

The project has not tried any device's encoder with a real device. Nothing falls back to libx264 in silence: a
process that cannot use the encoder it was told to use does not start.
"""

import msgspec

from stowboard.media.videos.ffmpeg.running import (
    MEBIBYTE,
    ProgramFailed,
    ProgramLimitExceeded,
    ProgramLimits,
    ignore_line,
    run,
)

_SECONDS = 60


class VideoEncoder(msgspec.Struct, frozen=True, kw_only=True):
    """Its words for ffmpeg: before the input, behind the last filter, and for the output."""

    before: tuple[str, ...] = ()
    filters: str = ""
    options: tuple[str, ...] = ()
    #: True asks for a quality, up to the most bits. Devices are given a mean of bits instead.
    by_quality: bool = False
    #: Address space in place of the usual limit: drivers reserve far more than they use.
    memory: int | None = None


_DRIVER_MEMORY = 1 << 40
ENCODERS = {
    "libx264": VideoEncoder(
        options=("-preset:v", "veryfast", "-profile:v", "high", "-crf:v", "23", "-sc_threshold:v", "0"), by_quality=True
    ),
    "h264_nvenc": VideoEncoder(options=("-profile:v", "high", "-forced-idr:v", "1"), memory=_DRIVER_MEMORY),
    "h264_vaapi": VideoEncoder(
        before=("-vaapi_device", "/dev/dri/renderD128"), filters=",format=nv12,hwupload",
        options=("-profile:v", "high"), memory=_DRIVER_MEMORY,
    ),
    "h264_v4l2m2m": VideoEncoder(memory=_DRIVER_MEMORY),
}  # fmt: skip


class EncoderUnusable(Exception):
    """A sentence for the operator."""


async def require_encoder(ffmpeg: str, name: str) -> None:
    """Encode a few black pictures. Raises EncoderUnusable."""
    encoder = ENCODERS[name]
    command = [
        ffmpeg, "-nostdin", "-hide_banner", "-loglevel", "error", *encoder.before, "-f", "lavfi", "-i",
        "color=s=320x240:r=10:d=0.5", "-vf", f"format=yuv420p{encoder.filters}", "-c:v", name, *encoder.options,
        "-b:v", "200000", "-f", "null", "-",
    ]  # fmt: skip
    memory = encoder.memory or 1024 * MEBIBYTE
    limits = ProgramLimits(wall_s=_SECONDS, cpu_s=_SECONDS, memory=memory, file_size=MEBIBYTE)
    try:
        await run(command, limits, ignore_line)
    except (ProgramFailed, ProgramLimitExceeded) as error:
        said = error.stderr if isinstance(error, ProgramFailed) else f"it takes too much {error}"
        raise EncoderUnusable(
            f"STOWBOARD_VIDEO_ENCODER is {name}, which {ffmpeg} cannot use here ({' '.join(said.split())[:300]})."
            " Set it to libx264, or name an ffmpeg with this encoder in STOWBOARD_FFMPEG and let it use the device."
        ) from error
