"""Every setting, in one list: from a command-line option, the environment, one TOML file or its default, in that order.

A setting `database_url` is `STOWBOARD_DATABASE_URL` in the environment and `database_url` in the file. What is wrong
stops the start with a sentence that names it. Each component has a Settings of its own and checks it.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from stowboard.access.settings import (
    AccessSettings,
    ProviderSettings,
    read_claim,
    read_client_secret,
    read_issuer,
    read_label,
    read_scopes,
)
from stowboard.access.signing_keys import KeySettings
from stowboard.agents.settings import AgentSettings
from stowboard.api.endpoint import MEBIBYTE
from stowboard.api.limits.rule import RateLimitSettings
from stowboard.api.limits.valkey_connection import ValkeyAddress
from stowboard.blobs.settings import BlobSettings
from stowboard.core.memory import memory_allowed
from stowboard.core.sealing import SHORTEST_KEY
from stowboard.core.settings.sources import Setting, WrongSetting, read_secret, read_values
from stowboard.core.settings.values import between, contact, flag, one_of, secret_token, several, web_origin, whole
from stowboard.db.open import DatabaseSettings
from stowboard.events.mail.settings import MailSettings, read_sender, relay_url
from stowboard.events.settings import EventSettings
from stowboard.events.webhooks.settings import WEBHOOKS_AT_ONCE
from stowboard.http.crowd import CrowdSettings
from stowboard.http.handing_over import HandingOverSettings, read_location
from stowboard.http.outgoing.addresses import OutgoingSettings
from stowboard.http.proxies import read_networks
from stowboard.jobs.settings import JobSettings
from stowboard.media.base.settings import MediaSettings


class Settings(msgspec.Struct, frozen=True):
    """What the service was told, as its components want it."""

    data_dir: Path
    host: str
    port: int
    workers: int
    public_url: str | None
    security_contact: str | None
    valkey_url: str | None
    bootstrap_token: str | None
    metrics_host: str
    metrics_port: int
    log_level: str
    log_format: str
    access_log: bool
    jobs_in_server: bool
    drain_seconds: int
    stop_seconds: int
    trusted_proxies: tuple[str, ...]
    granian_shortcuts: bool
    #: Bytes that bodies may take in this process.
    body_memory: int
    crowd: CrowdSettings
    handing_over: HandingOverSettings
    database: DatabaseSettings
    blobs: BlobSettings
    rate_limit: RateLimitSettings
    keys: KeySettings
    jobs: JobSettings
    events: EventSettings
    media: MediaSettings
    outgoing: OutgoingSettings
    mail: MailSettings
    access: AccessSettings
    agents: AgentSettings
    #: The key that seals, from either setting.
    sealing_key: str | None


def _sealing_key(text: str) -> str:
    if len(text) < SHORTEST_KEY:
        raise ValueError(f"needs at least {SHORTEST_KEY} characters")
    return text


def _valkey(text: str) -> str:
    try:
        ValkeyAddress.parse(text)
    except ValueError as error:
        raise ValueError(f"is wrong: {error}") from None
    return text


SETTINGS = [
    Setting("data_dir", Path, Path("data"), "Folder of the embedded database and of files."),
    Setting("host", str, "127.0.0.1", "Address to listen on."),
    Setting("port", between(1, 65535), 8080, "Port to listen on."),
    Setting("workers", between(1, 256), 1, "Server processes. One is right for SQLite; use more with PostgreSQL."),
    Setting("public_url", web_origin, None, "Origin that links begin with. Default: the host of each request."),
    Setting("trusted_proxies", read_networks, (), "Addresses or networks of proxies whose `X-Forwarded-For`, `-Proto` "
            "and `-Host` count. Default: nobody's."),
    Setting("requests_at_once", between(1, 100_000), 2048, "Requests that a process has in hand at once, those that "
            "may have a body."),
    Setting("requests_at_once_per_address", between(1, 100_000), 256, "Those of one address."),
    Setting("answers_at_once", between(1, 100_000), 256, "Answers over 64 KiB that a process has under way at once; "
            "each takes about half a MiB of memory, from a bucket up to one."),
    Setting("answers_at_once_per_address", between(1, 100_000), 100, "Those to one address."),
    Setting("connections_per_address", between(8, 100_000), 1024, "Connections of one address that a process keeps; "
            "it closes the newest beyond that. Trusted proxies are not counted."),
    Setting("body_memory_mib", between(16, 1024 * 1024), None, "Memory of a process for bodies that it works on. "
            "Default: its part of a quarter of what the service may have."),
    Setting("database_url", str, None, "`postgresql://…`, or `sqlite:///path`. Default: SQLite in the data folder."),
    Setting("database_pool_size", between(1, 1000), 10, "Most PostgreSQL connections of one process."),
    Setting("blobs_url", str, None, "`s3://bucket/prefix`, or a folder. Default: a folder in the data folder."),
    Setting("s3_endpoint", str, None, "Address of an S3-compatible store that is not Amazon's."),
    Setting("s3_timeout_seconds", between(1, 600), 60, "Longest that one request to the S3 store may take."),
    Setting("valkey_url", _valkey, None, "`redis://host:6379/0`: shares the rate limit among hosts.", secret=True),
    Setting("bootstrap_token", secret_token, None, "An admin token of your choice, stored at the start.", secret=True),
    Setting("rate_limit_per_minute", whole, 600, "Requests per minute of one token."),
    Setting("rate_limit_burst", whole, 100, "Requests that one token may make at once."),
    Setting("sign_ins_per_minute", between(1, 100_000), 30, "Attempts to sign in that one address has in a minute."),
    Setting("oauth_registration", flag, True, "Whether programs may register themselves as OAuth clients."),
    Setting("oauth_registrations_per_day", between(1, 100_000), 20, "Programs that may register themselves from one "
            "address in a day."),
    Setting("oauth_client_documents", several, (), "Hosts whose documents describe OAuth clients; `off` is none. "
            "Default: every host."),
    Setting("password_sign_in", flag, True, "Whether passwords sign people in. Off needs `oidc_issuer`; "
            "`stowboard account allow-passwords` turns them on again for a while."),
    Setting("oidc_issuer", read_issuer, None, "An OpenID Connect provider that people sign in with, as it writes its "
            "own address."),
    Setting("oidc_client_id", str, None, "What the provider calls this service."),
    Setting("oidc_client_secret", read_client_secret, None, "The secret that the provider gave; none for a public "
            "client.", secret=True),
    Setting("oidc_client_secret_file", Path, None, "A file with that secret, if it is not in the environment."),
    Setting("oidc_scopes", read_scopes, None, "What the provider is asked for. Default: `openid profile email`."),
    Setting("oidc_label", read_label, None, "How the button calls the provider. Default: its host."),
    Setting("oidc_sign_up", one_of("invited", "open"), "invited", "Who gets an account by signing in with the "
            "provider: who was invited, or everybody (`open`)."),
    Setting("oidc_admin", read_claim, None, "`groups=admins`: who has this claim of the provider is an admin, who has "
            "it not is a member. Default: roles are given here."),
    Setting("agents_delete", flag, False, "Whether agents at `/mcp` have a tool that deletes for good; it needs a "
            "delete scope too."),
    Setting("audit_days", between(1, 36_500), 365, "How long entries of the audit log are kept."),
    Setting("security_contact", contact, None, "Whom to tell of a weakness: an address of mail, or `https://…`; told "
            "in `/.well-known/security.txt`. Default: there is none."),
    Setting("signing_keys", several, (), "One or two keys that sign, newest first. Default: made and kept in the "
            "database.", secret=True),
    Setting("digest_key", several, (), "One or two keys of stored digests, newest first. Default: made and kept in "
            "the database.", secret=True),
    Setting("secret_key", _sealing_key, None, "Seals secrets that have to be readable, such as those of webhooks. "
            "Default: a key in the database does.", secret=True),
    Setting("secret_key_file", Path, None, "A file with that key, if it is not in the environment."),
    Setting("metrics_host", str, "127.0.0.1", "Address of the Prometheus metrics."),
    Setting("metrics_port", between(0, 65535), 0, "Port of the Prometheus metrics; 0 turns them off."),
    Setting("log_level", one_of("debug", "info", "warning", "error"), "info", "How much is logged."),
    Setting("log_format", one_of("auto", "json", "text"), "auto", "`auto` is text at a terminal, JSON elsewhere."),
    Setting("access_log", flag, True, "Whether each request is a line in the log."),
    Setting("jobs_in_server", flag, True, "Whether `serve` does background work too, or leaves it to `worker`."),
    Setting("job_slots", between(1, 64), 4, "Background jobs of one kind that a process does at once."),
    Setting("event_days", between(4, 3660), 30, "How long events are kept."),
    Setting("streams_per_token", between(1, 2048), 20, "Event streams of one session, client or token in a process."),
    Setting("smtp_url", relay_url, None, "`smtp://user:password@host:587`: sends reminders, invitations and links by "
            "mail, with STARTTLS; `smtps://` is TLS from the start.", secret=True),
    Setting("mail_from", read_sender, None, "The address that mail comes from."),
    Setting("outgoing_allow", several, (), "Networks like `192.168.10.0/24` that webhooks and other requests of ours "
            "may reach although they are not public, also by http."),
    Setting("cdn_url", web_origin, None, "Origin of delivery and playback URLs, if not that of the API: another host "
            "name of this service, or a CDN before it."),
    Setting("cdn_redirect", flag, False, "Whether an S3 store delivers files itself, by a redirect to a link that it "
            "signed."),
    Setting("accel_redirect", read_location, None, "A location of nginx that has the folder of the files, such as "
            "`/stowboard-files`: nginx then sends large ones itself."),
    Setting("transform_classes", several, (), "Transform classes of your own: `hero=1600x500` crops, `wide=2400` "
            "scales."),
    Setting("max_upload_mib", between(1, 5 * 1024 * 1024), 5120, "Largest pre-signed upload, in MiB."),
    Setting("max_video_mib", between(1, 5 * 1024 * 1024), 51200, "Largest video, in MiB."),
    Setting("upload_from_url", flag, True, "Whether the service fetches uploads from URLs that users name."),
    Setting("upload_from_url_seconds", between(1, 86_400), 3600, "How long the fetching of one may take."),
    Setting("storage_reserve_mib", between(0, 1 << 30), None, "Space that uploads leave free on the disk. Default: 5 % "
            "of it, at most 1 GiB."),
    Setting("storage_limit_mib", between(1, 1 << 40), None, "Most that assets and videos may have together. Default: "
            "no limit."),
    Setting("storage_limit_per_owner_mib", between(1, 1 << 40), None, "Most that those of one owner may have. Default: "
            "no limit."),
    Setting("strip_location", flag, False, "Whether images are stored without the place where they were taken."),
    Setting("image_slots", between(1, 64), 3, "Images that a process works on at once; one more than there are cores "
            "keeps them busy."),
    Setting("video_slots", between(0, 64), 1, "Videos that a process transcodes at once; 0 leaves them to "
            "other processes."),
    Setting("scrub_mib_per_second", between(0, 10_000), 8, "How fast files are read, once a week, to see whether they "
            "are still whole; 0 turns it off."),
    Setting("bucket_grace_seconds", between(0, 604_800), 21_600, "How long files stay in an S3 store after they were "
            "deleted or replaced, for downloads that have begun; no download takes longer. 0: they go at once."),
    Setting("ffmpeg", str, None, "The ffmpeg program. Default: the one that is installed with the service."),
    Setting("granian_shortcuts", flag, True, "Whether requests and streams take short ways past Granian's public "
            "interface. Off is slower and bounds less; for finding out whether a fault lies there."),
    Setting("drain_seconds", between(0, 600), 0, "How long a stop still takes new requests while `/readyz` says "
            "draining, so that a load balancer can turn away."),
    Setting("stop_seconds", between(1, 600), 20, "How long a stop waits for requests and jobs that still run."),
]  # fmt: skip


PARTS = (
    "database", "blobs", "rate_limit", "keys", "jobs", "events", "media", "outgoing", "mail", "access", "handing_over",
)  # fmt: skip


def load_settings(
    options: Mapping[str, Any], environment: Mapping[str, str] = os.environ, file: Path | None = None
) -> Settings:
    """Raises WrongSetting. An option that is None was not given."""
    settings = _composed(read_values(SETTINGS, options, environment, file), environment)
    for part in PARTS:
        try:
            getattr(settings, part).validate()
        except ValueError as error:
            raise WrongSetting(str(error)) from None
    return settings


def _composed(values: dict[str, Any], environment: Mapping[str, str]) -> Settings:
    data_dir: Path = values["data_dir"]
    return Settings(
        **{name: values[name] for name in Settings.__struct_fields__ if name in values},
        database=DatabaseSettings(
            url=values["database_url"] or f"sqlite:///{data_dir / 'stowboard.db'}",
            pool_size=values["database_pool_size"],
        ),
        blobs=BlobSettings(
            url=values["blobs_url"] or str(data_dir / "blobs"),
            s3_endpoint=values["s3_endpoint"],
            s3_timeout_s=values["s3_timeout_seconds"],
            access_key_id=environment.get("AWS_ACCESS_KEY_ID"),
            secret_access_key=environment.get("AWS_SECRET_ACCESS_KEY"),
            session_token=environment.get("AWS_SESSION_TOKEN"),
            region=environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION") or "us-east-1",
        ),
        body_memory=_body_memory(values["body_memory_mib"], values["workers"]),
        crowd=CrowdSettings(
            values["requests_at_once"],
            values["requests_at_once_per_address"],
            values["answers_at_once"],
            values["answers_at_once_per_address"],
            values["connections_per_address"],
        ),
        handing_over=HandingOverSettings(
            values["accel_redirect"],
            values["trusted_proxies"],
            on_disk=not BlobSettings(values["blobs_url"] or "").on_s3,
        ),
        rate_limit=RateLimitSettings(values["rate_limit_per_minute"], values["rate_limit_burst"]),
        keys=KeySettings(values["signing_keys"], values["digest_key"]),
        jobs=JobSettings(
            slots={
                "video": values["video_slots"],
                "poster": min(1, values["video_slots"]),
                "webhook": WEBHOOKS_AT_ONCE,
            },
            default_slots=values["job_slots"],
        ),
        events=EventSettings(values["event_days"], values["streams_per_token"]),
        outgoing=OutgoingSettings(values["outgoing_allow"]),
        mail=MailSettings(values["smtp_url"], values["mail_from"], values["public_url"]),
        media=MediaSettings(
            work_dir=data_dir / "work",
            cdn_url=values["cdn_url"],
            cdn_redirect=values["cdn_redirect"],
            transform_classes=values["transform_classes"],
            image_slots=values["image_slots"],
            strip_location=values["strip_location"],
            max_upload_bytes=values["max_upload_mib"] * MEBIBYTE,
            max_video_bytes=values["max_video_mib"] * MEBIBYTE,
            storage_reserve_bytes=_bytes(values["storage_reserve_mib"]),
            storage_limit_bytes=_bytes(values["storage_limit_mib"]),
            owner_limit_bytes=_bytes(values["storage_limit_per_owner_mib"]),
            scrub_mib_per_second=values["scrub_mib_per_second"],
            bucket_grace_s=values["bucket_grace_seconds"],
            upload_from_url=values["upload_from_url"],
            upload_from_url_seconds=values["upload_from_url_seconds"],
            ffmpeg=values["ffmpeg"],
        ),
        sealing_key=read_secret(values, "secret_key", _sealing_key),
        access=AccessSettings(
            values["public_url"],
            values["sign_ins_per_minute"],
            values["audit_days"],
            values["oauth_registration"],
            values["oauth_registrations_per_day"],
            values["oauth_client_documents"],
            values["password_sign_in"],
            ProviderSettings(
                values["oidc_issuer"],
                values["oidc_client_id"],
                read_secret(values, "oidc_client_secret", read_client_secret),
                values["oidc_scopes"] or ("openid", "profile", "email"),
                values["oidc_label"],
                values["oidc_sign_up"] == "open",
                values["oidc_admin"],
            ),
        ),
        agents=AgentSettings(values["agents_delete"]),
    )


def _bytes(mib: int | None) -> int | None:
    return None if mib is None else mib * MEBIBYTE


def _body_memory(mib: int | None, workers: int) -> int:
    return memory_allowed() // 4 // workers if mib is None else mib * MEBIBYTE
