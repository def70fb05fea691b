"""Ids in groups, each as large as one request takes."""

from collections.abc import Iterator, Sequence

_MOST = 100


def batches(ids: Sequence[str]) -> Iterator[list[str]]:
    once = list(dict.fromkeys(ids))
    for start in range(0, len(once), _MOST):
        yield once[start : start + _MOST]
