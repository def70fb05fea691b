"""The remaining quota, from the `RateLimit` header of an answer."""

import re
from dataclasses import dataclass

_ITEM = re.compile(r'"(?P<policy>[^"]*)"(?P<parameters>[^,"]*)')
_PARAMETER = re.compile(r";\s*(?P<name>[rt])=(?P<value>\d+)")


@dataclass(frozen=True, slots=True)
class RateLimit:
    policy: str
    #: Requests that may be sent now.
    remaining: int
    #: Seconds until there are more, if the service said so.
    reset: int | None


def parse_rate_limit(header: str) -> RateLimit | None:
    """The policy nearest to exhaustion, or None if the header has none that can be read."""
    limits = [_limit(item) for item in _ITEM.finditer(header)]
    return min((limit for limit in limits if limit), key=lambda limit: limit.remaining, default=None)


def _limit(item: re.Match[str]) -> RateLimit | None:
    parameters = {found["name"]: int(found["value"]) for found in _PARAMETER.finditer(item["parameters"])}
    if "r" not in parameters:
        return None
    return RateLimit(item["policy"], parameters["r"], parameters.get("t"))
