"""Time zones by their IANA names, from the tzdata package alone: every host has the same ones."""

from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo


class WrongTimeZone(ValueError):
    """The name is not a time zone; the text is a sentence for the person who wrote it."""


def check_time_zone(name: str) -> None:
    """Raises WrongTimeZone unless this is a name of the IANA database, as it is written there."""
    if name not in _zone_names():
        raise WrongTimeZone("It must be a name of the IANA time zone database, like Europe/Berlin or UTC.")


@cache
def zone_of(name: str) -> ZoneInfo:
    """Raises WrongTimeZone."""
    check_time_zone(name)
    with files("tzdata").joinpath("zoneinfo", *name.split("/")).open("rb") as rules:
        return ZoneInfo.from_file(rules, key=name)


@cache
def _zone_names() -> frozenset[str]:
    return frozenset(files("tzdata").joinpath("zones").read_text("ascii").split()) - {"Factory"}
