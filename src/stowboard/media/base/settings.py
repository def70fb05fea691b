"""Settings of media."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from stowboard.core.settings.declared import Setting
from stowboard.core.settings.values import between, flag, one_of, several, web_origin
from stowboard.media.base.classes import TransformClasses

MEBIBYTE, GIBIBYTE = 1 << 20, 1 << 30
#: By ffmpeg's names. The first one runs on every processor.
VIDEO_ENCODERS = ("libx264", "h264_nvenc", "h264_vaapi", "h264_v4l2m2m")


def _in_mebibytes(name: str, least: int, most: int) -> Setting:
    return Setting(name, between(least, most), unit=MEBIBYTE)


@dataclass(frozen=True)
class MediaSettings:
    #: Folder for temporary files: copies that ffmpeg and libvips read, and their output.
    work_dir: Path = Path("data/work")
    cdn_url: Annotated[str | None, Setting("cdn_url", web_origin)] = None
    cdn_redirect: Annotated[bool, Setting("cdn_redirect", flag)] = False
    cdn_redirect_seconds: Annotated[int, Setting("cdn_redirect_seconds", between(60, 3600))] = 3600
    transform_classes: Annotated[tuple[str, ...], Setting("transform_classes", several)] = ()
    max_upload_bytes: Annotated[int, _in_mebibytes("max_upload_mib", 1, 5 << 20)] = 5 * GIBIBYTE
    max_video_bytes: Annotated[int, _in_mebibytes("max_video_mib", 1, 5 << 20)] = 50 * GIBIBYTE
    upload_from_url: Annotated[bool, Setting("upload_from_url", flag)] = True
    upload_from_url_seconds: Annotated[int, Setting("upload_from_url_seconds", between(1, 86_400))] = 3600
    storage_reserve_bytes: Annotated[int | None, _in_mebibytes("storage_reserve_mib", 0, 1 << 30)] = None
    storage_limit_bytes: Annotated[int | None, _in_mebibytes("storage_limit_mib", 1, 1 << 40)] = None
    owner_limit_bytes: Annotated[int | None, _in_mebibytes("storage_limit_per_owner_mib", 1, 1 << 40)] = None
    version_keep: Annotated[int, Setting("version_keep", between(0, 100))] = 10
    version_days: Annotated[int, Setting("version_days", between(1, 3660))] = 90
    strip_location: Annotated[bool, Setting("strip_location", flag)] = False
    image_slots: Annotated[int, Setting("image_slots", between(1, 64))] = 3
    video_slots: Annotated[int, Setting("video_slots", between(0, 64))] = 1
    scrub_mib_per_second: Annotated[int, Setting("scrub_mib_per_second", between(0, 10_000))] = 8
    bucket_grace_s: Annotated[int, Setting("bucket_grace_seconds", between(0, 604_800))] = 6 * 3600
    ffmpeg: Annotated[str | None, Setting("ffmpeg", str)] = None
    video_encoder: Annotated[str, Setting("video_encoder", one_of(*VIDEO_ENCODERS))] = VIDEO_ENCODERS[0]

    def validate(self) -> None:
        TransformClasses(self.transform_classes)
