"""Steps before a server serves: claim the data folder, check the port, migrate, make keys and a first token."""

import fcntl
import os
import socket
from contextlib import ExitStack
from pathlib import Path

from stowboard.access.bootstrap import FirstStart, bootstrap
from stowboard.access.scopes import SCOPES
from stowboard.cli.exits import USAGE, fail
from stowboard.cli.on_database import open_current
from stowboard.core.folders import make_durable_folder, make_private
from stowboard.db.database import Database
from stowboard.jobs.lease import release_all_leases
from stowboard.media.base.settings import VIDEO_ENCODERS
from stowboard.settings import Settings


async def open_prepared(settings: Settings) -> Database:
    """The database, up to date, and with no job held by a server that is gone."""
    if settings.jobs_in_server:
        await require_video_encoder(settings)
    if settings.database.on_sqlite and not settings.database.path.exists():
        print(f"  First start: making a database in {_data(settings)}", flush=True)
    db = await open_current(settings)
    if settings.database.on_sqlite:
        # We hold the folder's lock, so every holder of a lease is gone.
        await db.transact(release_all_leases)
    return db


async def require_video_encoder(settings: Settings) -> None:
    """If this host makes videos on a device, try its encoder. Nothing falls back to another encoder in silence."""
    if settings.media.video_encoder == VIDEO_ENCODERS[0] or settings.media.video_slots == 0:
        return
    from stowboard.media.videos.ffmpeg.encoder import EncoderUnusable, require_encoder
    from stowboard.media.videos.ffmpeg.program import FfmpegMissing, get_ffmpeg

    try:
        await require_encoder(get_ffmpeg(settings.media.ffmpeg), settings.media.video_encoder)
    except (EncoderUnusable, FfmpegMissing) as error:
        fail(str(error), USAGE)


async def first_start(settings: Settings, db: Database) -> FirstStart:
    """The first admin token and the link to the first account, if this is the first start."""
    return await db.transact(bootstrap, SCOPES, settings.keys, settings.bootstrap_token)


def claim_data_folder(settings: Settings) -> ExitStack:
    """Hold the folder of an embedded database against a second server, until the stack is closed."""
    stack = ExitStack()
    if not settings.database.on_sqlite:
        return stack
    try:
        make_durable_folder(settings.data_dir)
        make_private(settings.data_dir)
        lock = os.open(settings.data_dir / "server.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        fail(f"the data folder {settings.data_dir} cannot be used: {error.strerror}. Choose another with --data-dir.")
    stack.callback(os.close, lock)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        fail(f"another server uses the data folder {settings.data_dir}. Stop it, or give this one its own --data-dir.")
    return stack


def check_port(settings: Settings) -> None:
    """Our server processes share a port, so another program on it would go unnoticed."""
    _require_free(settings.host, settings.port, "--host and --port")
    if settings.metrics_port:
        _require_free(settings.metrics_host, settings.metrics_port, "STOWBOARD_METRICS_HOST and STOWBOARD_METRICS_PORT")


def _require_free(host: str, port: int, choice: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            fail(f"cannot listen on {host}:{port}: {error.strerror}. Choose another with {choice}.")


def greeting(settings: Settings, first: FirstStart) -> str:
    origin, secret = origin_of(settings), first.token
    lines = [
        "",
        "  Stowboard is running.",
        f"    API    {origin}/api/v1",
        f"    Docs   {origin}/docs",
        f"    Data   {_data(settings)}",
    ]
    if secret is not None:
        lines += [
            "",
            "  Your admin token, shown this once:",
            f"    {secret}",
            "  The first call:",
            f'    curl -H "Authorization: Bearer {secret}" {origin}/api/v1',
        ]
    if first.ticket is not None:
        lines += [
            "",
            "  Make your account in a browser; the link works once, within a day:",
            f"    {origin}/setup#ticket={first.ticket}",
        ]
    return "\n".join([*lines, ""])


def origin_of(settings: Settings) -> str:
    """The origin of printed links, as far as the settings tell."""
    return settings.public_url or f"http://{_shown(settings.host)}:{settings.port}"


def _shown(host: str) -> str:
    """`localhost` where a browser on this machine reaches it by that name: passkeys do not work at an IP address."""
    if host in ("127.0.0.1", "::1", "0.0.0.0", "::"):  # noqa: S104 (shown, not bound)
        return "localhost"
    return f"[{host}]" if ":" in host else host


def _data(settings: Settings) -> Path | str:
    return settings.data_dir.resolve() if settings.database.on_sqlite else "in PostgreSQL"
