"""Files that a proxy before us sends: X-Accel-Redirect, as nginx knows it.

We check the request and answer with headers alone; the proxy reads the file, does ranges, and has the kernel send it.
With each request the proxy says that it can do this, by the header X-Accel-Location. Only a trusted proxy counts: a
client that reaches us another way gets the bytes from us. The header must equal the location in our settings. Otherwise
a client could send the header itself, and a cache that passes it on would keep an empty answer.
"""

import re
from typing import Annotated

import msgspec

from stowboard.core.settings.declared import Setting
from stowboard.http.exchange import Exchange, Headers
from stowboard.http.proxies import Proxies

_LOCATION = re.compile(r"(/[A-Za-z0-9_-]+)+")
_SAYS = "x-accel-location"
#: Headers that the proxy would compare with the file's own time and tag, which differ from ours.
_OURS_TO_CHECK = ("if-match", "if-unmodified-since")


def read_location(text: str) -> str:
    if not _LOCATION.fullmatch(text):
        raise ValueError("must be a path like /stowboard-files, of A-Z, a-z, 0-9, _ and - between its slashes")
    return text


class FileHandoverSettings(msgspec.Struct, frozen=True):
    #: The location that the proxy has to name; None if nothing is handed over.
    location: Annotated[str | None, Setting("accel_redirect", read_location)] = None
    trusted_proxies: tuple[str, ...] = ()
    #: True if blobs are files in a folder.
    on_disk: bool = True

    def validate(self) -> None:
        if self.location is None:
            return
        if not self.on_disk:
            raise ValueError(
                "STOWBOARD_ACCEL_REDIRECT is for files on a disk, and STOWBOARD_BLOBS_URL is a bucket, which delivers "
                "by itself with STOWBOARD_CDN_REDIRECT."
            )
        if not self.trusted_proxies:
            raise ValueError("STOWBOARD_ACCEL_REDIRECT needs the address of nginx in STOWBOARD_TRUSTED_PROXIES.")


class FileHandover:
    def __init__(self, settings: FileHandoverSettings) -> None:
        self._location, self._proxies = settings.location, Proxies(settings.trusted_proxies)

    def is_taken(self, exchange: Exchange) -> bool:
        """True if the proxy of this request can send a file itself."""
        return (
            self._location is not None
            and exchange.header(_SAYS) == self._location
            and self._proxies.are_trusted(exchange)
            and not any(exchange.has_header(name) for name in _OURS_TO_CHECK)
        )

    def hand_over(self, exchange: Exchange, headers: Headers, name: str) -> None:
        """Have the proxy send the file. The name needs no escaping in a path."""
        # The proxy announces ranges itself.
        kept = [header for header in headers if header[0] != "accept-ranges"]
        exchange.respond(200, [*kept, ("x-accel-redirect", f"{self._location}/{name}")])
