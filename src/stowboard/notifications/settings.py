"""Settings of notifications: the hosts that they may be sent to, and who sends pushes."""

from ipaddress import ip_address
from typing import Annotated
from urllib.parse import urlsplit

import msgspec

from stowboard.core.settings.declared import Setting
from stowboard.core.settings.values import host_names

#: The push services of browsers.
PUSH_SERVICES = (
    "fcm.googleapis.com", "*.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com"
)  # fmt: skip
#: Apple's service refuses senders of such hosts.
_NOWHERE = ("localhost", "local", "invalid", "test", "example", "internal", "lan", "home", "arpa")


class NotificationSettings(msgspec.Struct, frozen=True):
    push_hosts: Annotated[tuple[str, ...], Setting("push_hosts", host_names)] = ()
    notify_hosts: Annotated[tuple[str, ...], Setting("notify_hosts", host_names)] = ()
    mail_from: str | None = None
    public_url: str | None = None

    @property
    def push_subject(self) -> str | None:
        """The address by which a push service reaches the operator; without one there is no push."""
        if self.mail_from is not None and _is_somewhere(self.mail_from.rpartition("@")[2]):
            return f"mailto:{self.mail_from}"
        parts = urlsplit(self.public_url or "")
        return self.public_url if parts.scheme == "https" and _is_somewhere(parts.hostname or "") else None


def is_among(host: str, hosts: tuple[str, ...]) -> bool:
    return any(host == each or (each.startswith("*.") and host.endswith(each[1:])) for each in hosts)


def _is_somewhere(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return "." in host and host.rpartition(".")[2] not in _NOWHERE
    return False
