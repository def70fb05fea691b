"""Words looked for among tasks: one that every task has, and one of a single task, another in every request.

The texts are those of `tasks.text_of`. One answer of each kind is checked before a turn.
"""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from bench.harness.figures import Contender, Sample, Void
from bench.harness.load import Load, Targets, wrk
from bench.work.tasks import PAGE, TaskApi, found

#: No more than the smallest installation has tasks.
NUMBERS = 10_000


def search_common(api: TaskApi) -> Contender:
    """A page of 50 out of all tasks, each time without another word that none has."""

    targets = _targets(api, f"limit={PAGE}&q=fern -none{{}}")

    def turn(seconds: float) -> Sample:
        url = f"{api.url}?limit={PAGE}&q=fern"
        if len(found(api, url)) != PAGE:
            raise Void(f"{url}: no page of {PAGE}")
        return wrk(Load(url, api.headers, targets=targets), api.pid, seconds)

    return turn


def search_rare(api: TaskApi) -> Contender:
    """One task by the number in its title, as a whole word."""

    targets = _targets(api, 'q="task {}"')

    def turn(seconds: float) -> Sample:
        url = f"{api.url}?q=%22task%2077%22"
        if [task["title"] for task in found(api, url)] != ["Task 77"]:
            raise Void(f"{url}: not the one task")
        return wrk(Load(url, api.headers, targets=targets), api.pid, seconds)

    return turn


def _targets(api: TaskApi, query: str) -> Targets:
    path = urlsplit(api.url).path
    return Targets(tuple(f"{path}?{quote(query.format(number), safe='=&')}" for number in range(NUMBERS)))
