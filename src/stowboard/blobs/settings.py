"""The place of the blobs: a folder, or a bucket with its credentials."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from stowboard.core.settings.declared import Setting
from stowboard.core.settings.values import between, flag

_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_PREFIX = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")
_ENDPOINT = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+")
_S3 = "s3://"


@dataclass(frozen=True, slots=True)
class BlobSettings:
    url: Annotated[str, Setting("blobs_url", str, default=None)] = "data/blobs"
    direct_writes: Annotated[bool, Setting("direct_writes", flag)] = True
    s3_endpoint: Annotated[str | None, Setting("s3_endpoint", str)] = None
    s3_timeout_s: Annotated[float, Setting("s3_timeout_seconds", between(1, 600))] = 60
    #: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION
    access_key_id: str | None = None
    secret_access_key: str | None = field(default=None, repr=False)
    session_token: str | None = field(default=None, repr=False)
    region: str = "us-east-1"

    def validate(self) -> None:
        if not self.on_s3 and (not self.url or "://" in self.url):
            raise ValueError("STOWBOARD_BLOBS_URL must be a folder or s3://bucket/prefix.")
        if self.on_s3 and (wrong := self._wrong_bucket()):
            raise ValueError(" ".join(wrong))

    @property
    def on_s3(self) -> bool:
        return self.url.startswith(_S3)

    @property
    def folder(self) -> Path:
        return Path(self.url)

    @property
    def bucket_name(self) -> str:
        return self.url.removeprefix(_S3).partition("/")[0]

    @property
    def bucket_prefix(self) -> str:
        return self.url.removeprefix(_S3).partition("/")[2].rstrip("/")

    @property
    def endpoint(self) -> str:
        return (self.s3_endpoint or f"https://s3.{self.region}.amazonaws.com").rstrip("/")

    def _wrong_bucket(self) -> list[str]:
        wrong = []
        if not _BUCKET.fullmatch(self.bucket_name):
            wrong.append("STOWBOARD_BLOBS_URL must name a bucket after s3://, 3 to 63 of a-z, 0-9, dot and hyphen.")
        if self.bucket_prefix and not _PREFIX.fullmatch(self.bucket_prefix):
            wrong.append("STOWBOARD_BLOBS_URL may have only A-Z, a-z, 0-9, _ and - between the slashes of its prefix.")
        if not _ENDPOINT.fullmatch(self.endpoint):
            wrong.append("STOWBOARD_S3_ENDPOINT must be like https://host:port, with no path behind it.")
        if not 1 <= self.s3_timeout_s <= 600:
            wrong.append("STOWBOARD_S3_TIMEOUT_SECONDS must be 1 to 600 seconds.")
        if not (self.access_key_id and self.secret_access_key and self.region):
            wrong.append(
                "STOWBOARD_BLOBS_URL is a bucket: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION must be set."
            )
        return wrong
