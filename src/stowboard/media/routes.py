"""All operations of media, its addresses that carry their own proof, and its jobs."""

from typing import Any

from stowboard.core.services import Services
from stowboard.http.exchange import Route
from stowboard.http.origin import Origins
from stowboard.jobs.registry import AnyKind
from stowboard.jobs.schedule import PeriodicJob
from stowboard.media import batch_routes, library_routes, purge, setup_routes, sweep, trash_routes
from stowboard.media.assets import describing, processing, put_routes, upload_routes
from stowboard.media.assets import routes as asset_routes
from stowboard.media.base.discard import DISCARD
from stowboard.media.damage import scrub
from stowboard.media.delivery import cdn_routes, link_routes, version_routes
from stowboard.media.fetching import fetch
from stowboard.media.fetching import routes as fetching_routes
from stowboard.media.library_routes import RENAMING
from stowboard.media.uploads.tus import expiry as tus_expiry
from stowboard.media.uploads.tus import routes as tus_routes
from stowboard.media.videos import routes as video_routes
from stowboard.media.videos import stream_routes
from stowboard.media.videos.captions import routes as caption_routes
from stowboard.media.videos.ffmpeg import transcoding

ENDPOINTS = [
    *upload_routes.ENDPOINTS,
    *asset_routes.ENDPOINTS,
    *batch_routes.ENDPOINTS,
    *library_routes.ENDPOINTS,
    *setup_routes.ENDPOINTS,
    *fetching_routes.ENDPOINTS,
    *link_routes.ENDPOINTS,
    *version_routes.ENDPOINTS,
    *trash_routes.ENDPOINTS,
    *video_routes.ENDPOINTS,
    *caption_routes.ENDPOINTS,
]
JOBS: list[AnyKind] = [
    DISCARD, RENAMING.job, *processing.JOBS, *describing.JOBS, *sweep.JOBS, *purge.JOBS, *scrub.JOBS, *tus_expiry.JOBS,
    *transcoding.JOBS, *fetch.JOBS,
]  # fmt: skip
PERIODICS: list[PeriodicJob[Any]] = [
    *processing.PERIODICS,
    *sweep.PERIODICS,
    *purge.PERIODICS,
    *scrub.PERIODICS,
    *tus_expiry.PERIODICS,
]


HEADERS_BELOW = tus_routes.HEADERS_BELOW


def capability_routes(services: Services, origins: Origins) -> list[Route]:
    """Addresses outside of the API that need no token."""
    return [
        *cdn_routes.routes(services),
        *put_routes.routes(services, origins),
        *tus_routes.routes(services, origins),
        *stream_routes.routes(services),
    ]
