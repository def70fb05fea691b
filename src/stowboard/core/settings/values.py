"""The text of a setting into its value. Raises ValueError with the end of a sentence about the setting."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit, urlunsplit


def whole(text: str) -> int:
    if not text.strip().isdecimal():
        raise ValueError("must be a whole number")
    return int(text)


def flag(text: str) -> bool:
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off"):
        return False
    raise ValueError("must be true or false")


def one_of(*allowed: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return text.lower()

    return read


def between(lowest: int, highest: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        value = whole(text)
        if not lowest <= value <= highest:
            raise ValueError(f"must be {lowest} to {highest}")
        return value

    return read


def several(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def host_names(text: str) -> tuple[str, ...]:
    """Hosts; `*.example.org` for all below one."""
    hosts = tuple(host.lower() for host in several(text))
    if not all(re.fullmatch(r"(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*", host) for host in hosts):
        raise ValueError("must be names of hosts, like push.example.org or *.example.org, with commas between them")
    return hosts


def web_origin(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/") or parts.query:
        raise ValueError("must be like https://files.example.com, with no path behind it")
    return text.rstrip("/")


def contact(text: str) -> str:
    """A contact as a URI; a plain mail address becomes `mailto:`."""
    if re.fullmatch(r"(https://|mailto:|tel:)[!-~]+", text):
        return text
    if not re.fullmatch(r"[!-~]+@[A-Za-z0-9.-]+", text) or ":" in text:
        raise ValueError("must be an address of mail, or begin with https://, mailto: or tel:")
    return f"mailto:{text}"


def secret_token(text: str) -> str:
    if not 20 <= len(text) <= 512 or not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError("must be 20 to 512 printable ASCII characters without spaces")
    return text


def url_of_each_host(url: str) -> list[str]:
    """A URL that names several hosts with commas in between, as one URL for each of them."""
    parts = urlsplit(url)
    user, at, hosts = parts.netloc.rpartition("@")
    return [urlunsplit(parts._replace(netloc=f"{user}{at}{host}")) for host in hosts.split(",")]
