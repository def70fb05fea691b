"""Where Valkey is, as the setting says it. The client itself is loaded by those who use it."""

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from stowboard.core.settings.values import url_of_each_host

_TLS = {"redis": False, "valkey": False, "rediss": True, "valkeys": True}
_EXPECTED = "expected redis://[[user]:password@]host[:port][,host[:port]…][/database], with rediss:// for TLS"


@dataclass(frozen=True)
class ValkeyAddress:
    host: str
    port: int
    tls: bool
    database: int
    username: str | None
    password: str | None

    @classmethod
    def parse(cls, url: str) -> "ValkeyAddress":
        """From `redis://[[user]:password@]host[:port][/database]`; `rediss` is TLS. Raises ValueError."""
        parts = urlsplit(url)
        try:
            tls, port, database = _TLS[parts.scheme], parts.port or 6379, int(parts.path.strip("/") or "0")
        except (KeyError, ValueError):
            raise ValueError(_EXPECTED) from None  # the cause can quote a password
        if not parts.hostname or database < 0:
            raise ValueError(_EXPECTED)
        username, password = (unquote(text) if text else None for text in (parts.username, parts.password))
        return cls(parts.hostname, port, tls, database, username, password)

    @classmethod
    def parse_all(cls, url: str) -> "list[ValkeyAddress]":
        """The same for a URL that may name several hosts, separated by commas."""
        return [cls.parse(each) for each in url_of_each_host(url)]

    def __str__(self) -> str:
        return f"{self.host}:{self.port}/{self.database}"
