"""What an operator may say about media."""

from dataclasses import dataclass, field
from pathlib import Path

from stowboard.media.base.classes import TransformClasses

GIBIBYTE = 1 << 30


@dataclass(frozen=True)
class MediaSettings:
    #: Folder for what is only needed for a moment: copies that ffmpeg or libvips read, and what they make.
    work_dir: Path = Path("data/work")
    #: Origin of delivery URLs, where it is not that of the API.
    cdn_url: str | None = None
    #: Whether a bucket delivers by itself, through a signed link that we redirect to.
    cdn_redirect: bool = False
    #: `name=WIDTHxHEIGHT` (cover) or `name=WIDTH` (inside), beside the built-in classes.
    transform_classes: tuple[str, ...] = field(default=())
    #: Images that one process works on at once.
    image_slots: int = 3
    #: Whether images are stored without the place where they were taken.
    strip_location: bool = False
    max_upload_bytes: int = 5 * GIBIBYTE
    max_video_bytes: int = 50 * GIBIBYTE
    #: What stays free on the disk; None is 5 % of it, at most 1 GiB.
    storage_reserve_bytes: int | None = None
    #: What assets and videos may have together, and those of one owner; None is no limit.
    storage_limit_bytes: int | None = None
    owner_limit_bytes: int | None = None
    #: How fast bytes at rest are read to see whether they are still whole; 0 is not at all.
    scrub_mib_per_second: int = 8
    #: How long bytes stay in a bucket after they were deleted or replaced, for answers that have begun: none lasts
    #: longer. With 0 they go at once.
    bucket_grace_s: int = 6 * 3600
    #: Whether the service fetches bytes from URLs that users give it, and how many seconds one may take.
    upload_from_url: bool = True
    upload_from_url_seconds: int = 3600
    #: The ffmpeg program; None is the one that comes with the service.
    ffmpeg: str | None = None

    def validate(self) -> None:
        TransformClasses(self.transform_classes)
