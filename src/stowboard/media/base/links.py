"""Addresses of bytes: delivery of assets under /cdn, uploads under /uploads, playback under /stream."""

from urllib.parse import quote

from stowboard.media.base.asset import Asset

ORIGINAL = "original"


def edition_of(asset: Asset, transform_class: str) -> str:
    """The part of a delivery URL that changes whenever the bytes behind it do."""
    return f"v{asset.version}" + (f"-{asset.focus}" if asset.focus and transform_class != ORIGINAL else "")


def version_edition(version: int) -> str:
    """The same part for an earlier version, whose bytes stay what they are."""
    return f"r{version}"


class MediaLinks:
    """`cdn_url` is the origin of delivery, if it is not that of the API."""

    def __init__(self, cdn_url: str | None) -> None:
        self._cdn_url = cdn_url.rstrip("/") if cdn_url else None

    def delivery(self, origin: str, asset: Asset, transform_class: str = ORIGINAL, edition: str | None = None) -> str:
        """The address of the asset's bytes. It has the version in it, and for crops the changes of the focal point."""
        name, edition = quote(asset.filename, safe=""), edition or edition_of(asset, transform_class)
        return f"{self._cdn_url or origin}/cdn/{asset.id}/{edition}/{transform_class}/{name}"

    def put(self, origin: str, token: str) -> str:
        return f"{origin}/uploads/put/{token}"

    def tus(self, origin: str, token: str) -> str:
        return f"{origin}/uploads/tus/{token}"

    def playback(self, origin: str, token: str, provider_video_id: str, file: str) -> str:
        return f"{self._cdn_url or origin}/stream/{token}/{provider_video_id}/{file}"
