"""Where the ffmpeg program is: the one that the settings name, else the one that is installed with the service."""

import shutil


class FfmpegMissing(Exception):
    """A sentence for the operator."""


def get_ffmpeg(setting: str | None) -> str:
    """Its absolute path. Raises FfmpegMissing."""
    if setting is not None:
        found = shutil.which(setting)
        if found is None:
            raise FfmpegMissing(f"STOWBOARD_FFMPEG names {setting!r}, which is no program that can be run.")
        return found
    try:
        import imageio_ffmpeg  # only processes that work on videos need it

        return str(imageio_ffmpeg.get_ffmpeg_exe())  # type: ignore[attr-defined,no-untyped-call]
    except (ImportError, RuntimeError):
        raise FfmpegMissing(
            "No ffmpeg came with this installation. Install one, and name it in STOWBOARD_FFMPEG."
        ) from None
