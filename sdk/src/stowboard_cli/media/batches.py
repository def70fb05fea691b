"""Ids in groups, each as large as one request takes."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from stowboard_cli.exits import NOT_FOUND, OK, PARTLY
from stowboard_cli.stow import Stow
from stowboard_client import errors

_MOST = 100


class BatchAnswer(Protocol):
    @property
    def missing(self) -> tuple[str, ...]: ...


def batches(ids: Sequence[str]) -> Iterator[list[str]]:
    once = list(dict.fromkeys(ids))
    for start in range(0, len(once), _MOST):
        yield once[start : start + _MOST]


def change_each(
    stow: Stow,
    ids: Sequence[str],
    done: str,
    change_assets: Callable[[Sequence[str]], BatchAnswer],
    change_video: Callable[[str], object],
) -> int:
    """Change assets in batches and videos one by one, and print how many were `done`. Returns the exit code."""
    missing: list[str] = []
    for batch in batches([each for each in ids if not each.startswith("vid_")]):
        missing += change_assets(batch).missing
    for each in ids:
        if each.startswith("vid_"):
            try:
                change_video(each)
            except errors.NotFound:
                missing.append(each)
    for each in missing:
        stow.say(f"There is no {each}.")
    stow.show({done: len(ids) - len(missing), "missing": missing})
    if missing and len(missing) == len(ids):
        return NOT_FOUND
    return PARTLY if missing else OK
