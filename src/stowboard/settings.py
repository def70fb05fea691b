"""Every setting: from a command-line option, the environment, one TOML file or its default, in that order.

A setting `database_url` is `STOWBOARD_DATABASE_URL` in the environment and `database_url` in the file. A wrong value
stops the start with a sentence that names it. Each component declares its settings beside their defaults and checks
them; this module declares those of the process, and puts all together by name.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from stowboard.access.settings import AccessSettings, ProviderSettings
from stowboard.access.signing_keys import KeySettings
from stowboard.agents.settings import AgentSettings
from stowboard.api.endpoint import MEBIBYTE
from stowboard.api.limits.rule import RateLimitSettings
from stowboard.api.limits.valkey_address import ValkeyAddress
from stowboard.blobs.settings import BlobSettings
from stowboard.core.sealing import SHORTEST_KEY
from stowboard.core.settings.declared import Setting, compose, settings_of
from stowboard.core.settings.memory import memory_allowed
from stowboard.core.settings.sources import WrongSetting, read_values
from stowboard.core.settings.values import between, contact, flag, one_of, secret_token, web_origin
from stowboard.db.open import DatabaseSettings
from stowboard.deliveries.settings import ADDRESSES_AT_ONCE, ADDRESSES_OF_ONE
from stowboard.events.changes.settings import HistorySettings
from stowboard.events.mail.settings import MailSettings
from stowboard.events.settings import EventSettings
from stowboard.http.crowd import CrowdSettings
from stowboard.http.handing_over import FileHandoverSettings
from stowboard.http.outgoing.addresses import OutgoingSettings
from stowboard.http.proxies import read_networks
from stowboard.jobs.settings import JobSettings
from stowboard.media.base.settings import MediaSettings
from stowboard.notifications.settings import NotificationSettings


def _sealing_key(text: str) -> str:
    if len(text) < SHORTEST_KEY:
        raise ValueError(f"needs at least {SHORTEST_KEY} characters")
    return text


def _valkey(text: str) -> str:
    try:
        ValkeyAddress.parse_all(text)
    except ValueError as error:
        raise ValueError(f"is wrong: {error}") from None
    return text


class Settings(msgspec.Struct, frozen=True):
    """All settings of a process: its own, and those of each component."""

    data_dir: Annotated[Path, Setting("data_dir", Path)] = Path("data")
    host: Annotated[str, Setting("host", str)] = "127.0.0.1"
    port: Annotated[int, Setting("port", between(1, 65535))] = 8080
    workers: Annotated[int, Setting("workers", between(1, 256))] = 1
    public_url: Annotated[str | None, Setting("public_url", web_origin)] = None
    trusted_proxies: Annotated[tuple[str, ...], Setting("trusted_proxies", read_networks)] = ()
    body_memory_mib: Annotated[int | None, Setting("body_memory_mib", between(16, 1024 * 1024))] = None
    valkey_url: Annotated[str | None, Setting("valkey_url", _valkey)] = None
    bootstrap_token: Annotated[str | None, Setting("bootstrap_token", secret_token)] = None
    security_contact: Annotated[str | None, Setting("security_contact", contact)] = None
    sealing_key: Annotated[str | None, Setting("secret_key", _sealing_key)] = None
    sealing_key_file: Annotated[Path | None, Setting("secret_key_file", Path)] = None
    metrics_host: Annotated[str, Setting("metrics_host", str)] = "127.0.0.1"
    metrics_port: Annotated[int, Setting("metrics_port", between(0, 65535))] = 0
    log_level: Annotated[str, Setting("log_level", one_of("debug", "info", "warning", "error"))] = "info"
    log_format: Annotated[str, Setting("log_format", one_of("auto", "json", "text"))] = "auto"
    access_log: Annotated[bool, Setting("access_log", flag)] = True
    jobs_in_server: Annotated[bool, Setting("jobs_in_server", flag)] = True
    granian_shortcuts: Annotated[bool, Setting("granian_shortcuts", flag)] = True
    drain_seconds: Annotated[int, Setting("drain_seconds", between(0, 600))] = 0
    stop_seconds: Annotated[int, Setting("stop_seconds", between(1, 600))] = 20
    crowd: CrowdSettings = CrowdSettings()
    handing_over: FileHandoverSettings = FileHandoverSettings()
    database: DatabaseSettings = DatabaseSettings()
    blobs: BlobSettings = BlobSettings()
    rate_limit: RateLimitSettings = RateLimitSettings()
    keys: KeySettings = KeySettings()
    access: AccessSettings = AccessSettings()
    agents: AgentSettings = AgentSettings()
    jobs: JobSettings = msgspec.field(default_factory=JobSettings)
    events: EventSettings = EventSettings()
    history: HistorySettings = HistorySettings()
    mail: MailSettings = MailSettings()
    outgoing: OutgoingSettings = OutgoingSettings()
    notifications: NotificationSettings = NotificationSettings()
    media: MediaSettings = MediaSettings()

    @property
    def logs_for_people(self) -> bool:
        """True if the log is text and not JSON."""
        return self.log_format == "text" or (self.log_format == "auto" and sys.stderr.isatty())

    @property
    def body_memory(self) -> int:
        """Bytes that bodies may take in this process."""
        mib = self.body_memory_mib
        return memory_allowed() // 4 // self.workers if mib is None else mib * MEBIBYTE


#: In the order of the manual.
COMPONENTS: tuple[type[Any], ...] = (
    Settings, CrowdSettings, FileHandoverSettings, DatabaseSettings, BlobSettings, RateLimitSettings, KeySettings,
    AccessSettings, ProviderSettings, AgentSettings, JobSettings, EventSettings, HistorySettings, MailSettings,
    OutgoingSettings, NotificationSettings, MediaSettings,
)  # fmt: skip
SETTINGS = [setting for component in COMPONENTS for setting in settings_of(component)]


def load_settings(
    options: Mapping[str, Any], environment: Mapping[str, str] = os.environ, file: Path | None = None
) -> Settings:
    """Raises WrongSetting. An option that is None was not given."""
    settings = _composed(read_values(SETTINGS, options, environment, file), environment)
    for name in Settings.__struct_fields__:
        validate = getattr(getattr(settings, name), "validate", None)
        try:
            if validate is not None:
                validate()
        except ValueError as error:
            raise WrongSetting(str(error)) from None
    return settings


def _composed(values: Mapping[str, Any], environment: Mapping[str, str]) -> Settings:
    """The settings of each component, by name. Only values that depend on several settings are written out here."""
    data_dir: Path = values["data_dir"]
    blobs = compose(
        BlobSettings,
        values,
        url=values["blobs_url"] or str(data_dir / "blobs"),
        access_key_id=environment.get("AWS_ACCESS_KEY_ID"),
        secret_access_key=environment.get("AWS_SECRET_ACCESS_KEY"),
        session_token=environment.get("AWS_SESSION_TOKEN"),
        region=environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION") or "us-east-1",
    )
    video_slots: int = values["video_slots"]
    shares = dict.fromkeys(("deliver", "fetch"), ADDRESSES_OF_ONE)
    slots = dict.fromkeys(shares, ADDRESSES_AT_ONCE)
    # One place more than an owner may take: nobody's films and documents hold up the first of somebody else's.
    shares |= {"video": max(1, video_slots), "prepare": 1, "describe": 1}
    slots |= {
        "video": video_slots + 1 if video_slots else 0,
        "rendition": video_slots,
        "prepare": 2 if video_slots else 0,
        "poster": min(1, video_slots),
        "describe": 2,
    }
    url = values["database_url"] or f"sqlite:///{data_dir / 'stowboard.db'}"
    return compose(
        Settings,
        values,
        crowd=compose(CrowdSettings, values),
        handing_over=compose(FileHandoverSettings, values, on_disk=not blobs.on_s3),
        database=compose(DatabaseSettings, values, url=url),
        blobs=blobs,
        rate_limit=compose(RateLimitSettings, values),
        keys=compose(KeySettings, values),
        access=compose(AccessSettings, values, provider=compose(ProviderSettings, values)),
        agents=compose(AgentSettings, values),
        jobs=compose(JobSettings, values, slots=slots, shares=shares),
        events=compose(EventSettings, values),
        history=compose(HistorySettings, values),
        mail=compose(MailSettings, values),
        outgoing=compose(OutgoingSettings, values),
        notifications=compose(NotificationSettings, values),
        media=compose(MediaSettings, values, work_dir=data_dir / "work"),
    )
