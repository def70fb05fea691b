"""Check everything that the service needs: settings, database, storage, ffmpeg, clock, permissions and more.

A line for each, and what to do where something is wrong. Exits with 1 if the service cannot run like this.
"""

import asyncio
import email.errors
import os
import platform
import time
from argparse import Namespace
from collections.abc import Awaitable, Callable
from typing import Concatenate, ParamSpec, TypeVar
from urllib.parse import urlsplit

import apsw
import msgspec
import uvloop

from stowboard.access.base import passkey_store
from stowboard.access.passkeys.ceremony import why_unavailable
from stowboard.access.sessions.door import OTHER_ADDRESS, UNTRUSTED_PROXY
from stowboard.access.upstream.provider import IdentityProvider
from stowboard.access.upstream.refusal import ProviderFailed
from stowboard.blobs.open import open_blobs
from stowboard.catalogue import QUEUES
from stowboard.cli.exits import ERROR, OK
from stowboard.cli.on_database import require_installation, why_unusable
from stowboard.core import clock
from stowboard.core.errors import Problem
from stowboard.core.wording import counted
from stowboard.db.database import Tx
from stowboard.db.migrate import MigrationMismatch, pending
from stowboard.db.open import open_database
from stowboard.db.sqlite_examine import examine as examine_file
from stowboard.events.audit import AuditFilter, list_entries
from stowboard.http.outgoing.client import Outgoing
from stowboard.jobs.overview import JobStatus, count_jobs
from stowboard.media.damage.marks import find_damaged
from stowboard.media.videos.ffmpeg.program import FfmpegMissing, get_ffmpeg
from stowboard.moving.unfinished import ADVICE, is_unfinished
from stowboard.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")

LARGEST_SKEW_MS = 2000
#: A job that is overdue by this much has no worker.
STUCK_MS = 10 * 60 * 1000
MOST_NAMED = 5
LATELY_MS = 7 * 24 * 3600 * 1000
LEAST_FREE_BYTES = 512 * 1024 * 1024
_OLDEST_SANE_YEAR = 2026
_ON_S3 = "Check STOWBOARD_BLOBS_URL, STOWBOARD_S3_ENDPOINT, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION."


class DoctorFinding(msgspec.Struct, frozen=True):
    """`advice` says what to do; with `fatal` the service cannot run like this, or has lost something: exit code 1."""

    fact: str
    advice: str | None = None
    fatal: bool = False


_NOT_SEEN = DoctorFinding("not looked at: the database has to be well first")


def run(settings: Settings, _: Namespace) -> int:
    require_installation(settings)
    bad = False
    for name, check in _CHECKS.items():
        finding = uvloop.run(_finding(check, settings))
        mark = "ok  " if finding.advice is None else "FAIL" if finding.fatal else "note"
        print(f"{mark}  {name:12} {finding.fact}")
        if finding.advice is not None:
            print(f"      {'':12} → {finding.advice}")
        bad = bad or finding.fatal
    return ERROR if bad else OK


async def _finding(check: "Check", settings: Settings) -> DoctorFinding:
    try:
        return await check(settings)
    except OSError as error:
        return DoctorFinding(
            f"{error.filename}: {error.strerror}", "Check the path, its owner and its mode.", fatal=True
        )


async def _settings(settings: Settings) -> DoctorFinding:
    where = "SQLite" if settings.database.on_sqlite else "PostgreSQL"
    files = "an S3 bucket" if settings.blobs.on_s3 else "a folder"
    return DoctorFinding(f"read and valid: {where}, files in {files}")


async def _python(_: Settings) -> DoctorFinding:
    if hasattr(email.errors, "HeaderWriteError"):
        return DoctorFinding(f"{platform.python_version()}, without flaws that are known to matter here")
    return DoctorFinding(
        f"{platform.python_version()} writes line ends of texts into headers of mail (CVE-2024-6923)",
        "Stowboard encodes these headers itself. For other programs take 3.11.10, 3.12.5 or newer.",
    )


async def _permissions(settings: Settings) -> DoctorFinding:
    folder = settings.data_dir
    if not folder.exists():
        above = next(parent for parent in folder.absolute().parents if parent.exists())
        if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
            return DoctorFinding(f"{folder} cannot be made in {above}", "Choose another with --data-dir.", fatal=True)
        return DoctorFinding(f"{folder} does not exist yet; the first start makes it")
    if not os.access(folder, os.W_OK | os.X_OK):
        return DoctorFinding(
            f"{folder} is not writable", f"Give it to this user: chown -R $(id -u) {folder}", fatal=True
        )
    if folder.stat().st_mode & 0o077:
        return DoctorFinding(f"{folder} is open to other users", f"chmod 700 {folder}")
    return DoctorFinding(f"{folder} is writable, and only by its owner")


async def _database(settings: Settings) -> DoctorFinding:
    path = settings.database.path if settings.database.on_sqlite else None
    if path is not None and (wrong := await asyncio.to_thread(examine_file, path, quick=True)):
        return DoctorFinding(f"is damaged: {wrong[0]}", "Restore a backup; `stowboard verify` says more.", fatal=True)
    db = await open_database(settings.database)
    try:
        unfinished = await db.read(is_unfinished, db.dialect)
        waiting = await pending(db)
        session = None if path is not None else await db.read(_session)
    except MigrationMismatch as error:
        return DoctorFinding("its schema is not of this release", str(error), fatal=True)
    except Problem as error:
        return DoctorFinding("cannot be used", why_unusable(settings, error), fatal=True)
    finally:
        await db.close()
    if unfinished:
        return DoctorFinding("is not whole", ADVICE, fatal=True)
    if waiting:
        return DoctorFinding(
            f"{counted(len(waiting), 'migration')} pending", "`stowboard serve` or `stowboard upgrade` runs them."
        )
    return session or DoctorFinding("answers, and its schema is current")


async def _session(tx: Tx) -> DoctorFinding | None:
    """Finds fault with the settings that our connections have at PostgreSQL."""
    from stowboard.db.postgres import LOCK_TIMEOUT

    row = await tx.one("SELECT current_setting('lock_timeout'), current_setting('synchronous_commit')")
    if row is not None and row[0] != LOCK_TIMEOUT:
        advice = "If PgBouncer is in between, set them for the role, as docs/scaling.md says."
        return DoctorFinding("does not get the settings of our connections, such as lock_timeout", advice)
    if row is not None and row[1] in ("off", "local"):
        advice = "Turn it on for this database: a crash or a failover can lose writes that were acknowledged."
        return DoctorFinding(f"has synchronous_commit = {row[1]}", advice)
    return None


async def _storage(settings: Settings) -> DoctorFinding:
    blobs = open_blobs(settings.blobs)
    try:
        await blobs.check()
        free = space.free if (space := blobs.space()) is not None else None
    except Problem as error:
        advice = _ON_S3 if settings.blobs.on_s3 else "Make room on the disk, and check the folder's owner and mode."
        return DoctorFinding(getattr(error, "reason", str(error)), advice, fatal=True)
    finally:
        await blobs.close()
    if free is not None and free < LEAST_FREE_BYTES:
        return DoctorFinding(
            f"{free >> 20} MiB are free", "Make room: below this, uploads will soon be refused with 507."
        )
    return DoctorFinding("writes, reads and deletes" + (f"; {free >> 30} GiB are free" if free is not None else ""))


async def _clock(settings: Settings) -> DoctorFinding:
    if time.gmtime().tm_year < _OLDEST_SANE_YEAR:
        return DoctorFinding("the clock is far in the past", "Set it, and keep it with NTP.", fatal=True)
    row = await _ask(settings, lambda tx: tx.one("SELECT now_ms()"))
    if row is None:
        return DoctorFinding("right, as far as this machine alone can tell")
    skew = abs(row[0] - time.time_ns() // 1_000_000)
    if skew > LARGEST_SKEW_MS:
        return DoctorFinding(
            f"{skew} ms away from the database's", "Keep both with NTP: expiry and order rest on them."
        )
    return DoctorFinding("agrees with the database's")


async def _jobs(settings: Settings) -> DoctorFinding:
    counts = await _ask(settings, count_jobs, QUEUES)
    if counts is None:
        return _NOT_SEEN
    stuck = [f"{each.kind} ({each.oldest_ms // 60_000} minutes)" for each in counts if each.oldest_ms > STUCK_MS]
    dead = [f"{each.number} of {each.kind}" for each in counts if each.status is JobStatus.DEAD]
    if stuck:
        advice = "Check that a server or a worker runs and has slots. `stowboard jobs` lists the jobs."
        return DoctorFinding(f"waiting for long: {', '.join(stuck)}", advice)
    if dead:
        return DoctorFinding(
            f"given up: {', '.join(dead)}", "`stowboard jobs dead` says why, `stowboard jobs retry` helps."
        )
    return DoctorFinding("none waits for long, and none was given up")


async def _files(settings: Settings) -> DoctorFinding:
    damaged = await _ask(settings, find_damaged, MOST_NAMED + 1)
    if damaged is None:
        return _NOT_SEEN
    if not damaged:
        return DoctorFinding("none is known to be damaged")
    named = ", ".join(damaged[:MOST_NAMED]) + (", …" if len(damaged) > MOST_NAMED else "")
    advice = "Put them back from a backup, or upload them again; `stowboard verify` names the files, and what is whole."
    return DoctorFinding(f"damaged: {named}", advice, fatal=True)


async def _ask(
    settings: Settings, work: Callable[Concatenate[Tx, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
) -> T | None:
    """The result of `work`; None if the database cannot be read, which its own check reports."""
    try:
        db = await open_database(settings.database)
        try:
            return None if await pending(db) else await db.read(work, *args, **kwargs)
        finally:
            await db.close()
    except (Problem, MigrationMismatch, apsw.Error):
        return None


async def _passkeys(settings: Settings) -> DoctorFinding:
    if settings.public_url is None:
        return DoctorFinding("made for the host of each request; set STOWBOARD_PUBLIC_URL to keep it one")
    host, reason = urlsplit(settings.public_url).hostname or "", why_unavailable(settings.public_url)
    if reason is not None:
        return DoctorFinding("not offered", reason)
    db = await open_database(settings.database)
    try:
        other = None if await pending(db) else await db.read(passkey_store.find_other_host, host)
    except (Problem, MigrationMismatch):
        return DoctorFinding("not looked at: the database cannot be used")
    finally:
        await db.close()
    if other is not None:
        return DoctorFinding(
            f"some were made for {other}, and do not work at {host}", "Go back to that address, or register them again."
        )
    return DoctorFinding(f"made for {host}")


async def _provider(settings: Settings) -> DoctorFinding:
    if not settings.access.provider.is_set:
        return DoctorFinding("none; people sign in with passwords and passkeys")
    outgoing = Outgoing(settings.outgoing)
    try:
        await IdentityProvider(settings.access.provider, outgoing).metadata()
    except ProviderFailed as failure:
        advice = "Check STOWBOARD_OIDC_ISSUER. In a private network, or by http, it needs STOWBOARD_OUTGOING_ALLOW."
        return DoctorFinding(f"cannot be used: {failure.reason}", advice)
    finally:
        outgoing.close()
    return DoctorFinding(f"{settings.access.provider.issuer} answers as it should")


async def _push(settings: Settings) -> DoctorFinding:
    subject = settings.notifications.push_subject
    if subject is not None:
        return DoctorFinding(f"sent to browsers as {subject}")
    advice = "Set STOWBOARD_MAIL_FROM, or STOWBOARD_PUBLIC_URL with https and a public name: push services ask for one."
    return DoctorFinding("not sent to browsers: no address names the operator", advice)


async def _proxies(settings: Settings) -> DoctorFinding:
    """Finds what is wrong with proxies only if somebody has lately opened a page for people."""
    proxy = await _ask(settings, _newest, UNTRUSTED_PROXY)
    if proxy is not None:
        advice = "If that is your proxy, name it in STOWBOARD_TRUSTED_PROXIES: it is counted as all of its clients."
        return DoctorFinding(f"{proxy} sends X-Forwarded-… headers, which do not count", advice)
    page = await _ask(settings, _newest, OTHER_ADDRESS)
    if page is not None and page != settings.public_url:
        advice = (
            f"The audit log has the address ({OTHER_ADDRESS}); anybody can send one. If that is how people come, set"
            " STOWBOARD_PUBLIC_URL to it, or name the proxy before it as trusted."
        )
        return DoctorFinding("a page was opened at another address than this service's own", advice)
    return DoctorFinding("nothing is known to be wrong with addresses and headers")


async def _newest(tx: Tx, action: str) -> str | None:
    """The subject of the newest audit entry of the last days."""
    since = clock.now_ms() - LATELY_MS
    entries = (await list_entries(tx, AuditFilter(action=action, since=since), None, 1)).items
    return entries[0].subject if entries else None


async def _ffmpeg(settings: Settings) -> DoctorFinding:
    try:
        return DoctorFinding(get_ffmpeg(settings.media.ffmpeg))
    except FfmpegMissing as missing:
        return DoctorFinding(str(missing), "Only videos need it.")


async def _valkey(settings: Settings) -> DoctorFinding:
    if settings.valkey_url is None:
        return DoctorFinding("not used; the rate limit is shared by the processes of this host")
    from stowboard.api.limits.valkey import AWAY, CONNECT_SECONDS, connection_to
    from stowboard.api.limits.valkey_address import ValkeyAddress

    for address in ValkeyAddress.parse_all(settings.valkey_url):
        connection = connection_to(address)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await connection.connect()  # type: ignore[no-untyped-call]
            await connection.disconnect(nowait=True)
        except AWAY as error:
            return DoctorFinding(f"{address} does not answer: {error}", "Until it does, each host limits by itself.")
    return DoctorFinding("answers")


Check = Callable[[Settings], Awaitable[DoctorFinding]]
_CHECKS: dict[str, Check] = {
    "settings": _settings,
    "python": _python,
    "permissions": _permissions,
    "database": _database,
    "storage": _storage,
    "files": _files,
    "jobs": _jobs,
    "clock": _clock,
    "valkey": _valkey,
    "passkeys": _passkeys,
    "provider": _provider,
    "push": _push,
    "proxies": _proxies,
    "ffmpeg": _ffmpeg,
}
