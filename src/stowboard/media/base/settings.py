"""Settings of media."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from stowboard.core.settings.declared import Setting
from stowboard.core.settings.values import between, flag, several, web_origin
from stowboard.media.base.classes import TransformClasses

MEBIBYTE, GIBIBYTE = 1 << 20, 1 << 30


@dataclass(frozen=True)
class MediaSettings:
    #: Folder for temporary files: copies that ffmpeg and libvips read, and their output.
    work_dir: Path = Path("data/work")
    cdn_url: Annotated[
        str | None,
        Setting(
            "cdn_url",
            web_origin,
            "Origin of delivery and playback URLs, if not that of the API: another host name "
            "of this service, or a CDN before it.",
        ),
    ] = None
    cdn_redirect: Annotated[
        bool,
        Setting(
            "cdn_redirect", flag, "Whether an S3 store delivers files itself, by a redirect to a link that it signed."
        ),
    ] = False
    transform_classes: Annotated[
        tuple[str, ...],
        Setting(
            "transform_classes", several, "Transform classes of your own: `hero=1600x500` crops, `wide=2400` scales."
        ),
    ] = ()
    max_upload_bytes: Annotated[
        int,
        Setting("max_upload_mib", between(1, 5 * 1024 * 1024), "Largest pre-signed upload, in MiB.", unit=MEBIBYTE),
    ] = 5 * GIBIBYTE
    max_video_bytes: Annotated[
        int, Setting("max_video_mib", between(1, 5 * 1024 * 1024), "Largest video, in MiB.", unit=MEBIBYTE)
    ] = 50 * GIBIBYTE
    upload_from_url: Annotated[
        bool, Setting("upload_from_url", flag, "Whether the service fetches uploads from URLs that users name.")
    ] = True
    upload_from_url_seconds: Annotated[
        int, Setting("upload_from_url_seconds", between(1, 86_400), "How long the fetching of one may take.")
    ] = 3600
    storage_reserve_bytes: Annotated[
        int | None,
        Setting(
            "storage_reserve_mib",
            between(0, 1 << 30),
            "Space that uploads leave free on the disk. Default: 5 % of it, at most 1 GiB.",
            unit=MEBIBYTE,
        ),
    ] = None
    storage_limit_bytes: Annotated[
        int | None,
        Setting(
            "storage_limit_mib",
            between(1, 1 << 40),
            "Most that assets and videos may have together. Default: no limit.",
            unit=MEBIBYTE,
        ),
    ] = None
    owner_limit_bytes: Annotated[
        int | None,
        Setting(
            "storage_limit_per_owner_mib",
            between(1, 1 << 40),
            "Most that those of one owner may have. Default: no limit.",
            unit=MEBIBYTE,
        ),
    ] = None
    strip_location: Annotated[
        bool, Setting("strip_location", flag, "Whether images are stored without the place where they were taken.")
    ] = False
    image_slots: Annotated[
        int,
        Setting(
            "image_slots",
            between(1, 64),
            "Images that a process works on at once; one more than there are cores keeps them busy.",
        ),
    ] = 3
    video_slots: Annotated[
        int,
        Setting(
            "video_slots", between(0, 64), "Videos that a process transcodes at once; 0 leaves them to other processes."
        ),
    ] = 1
    scrub_mib_per_second: Annotated[
        int,
        Setting(
            "scrub_mib_per_second",
            between(0, 10_000),
            "How fast files are read, once a week, to see whether they are still whole; 0 turns it off.",
        ),
    ] = 8
    bucket_grace_s: Annotated[
        int,
        Setting(
            "bucket_grace_seconds",
            between(0, 604_800),
            "How long files stay in an S3 store after they were deleted "
            "or replaced, for downloads that have begun; no download takes longer. 0: they go at once.",
        ),
    ] = 6 * 3600
    ffmpeg: Annotated[
        str | None, Setting("ffmpeg", str, "The ffmpeg program. Default: the one that is installed with the service.")
    ] = None

    def validate(self) -> None:
        TransformClasses(self.transform_classes)
