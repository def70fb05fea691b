"""Settings of workers: how many jobs one runs at a time, and how soon another claims the jobs of a dead one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from stowboard.core.settings.declared import Setting
from stowboard.core.settings.values import between


@dataclass(frozen=True)
class JobSettings:
    #: The number of jobs of a queue that run at once in one worker; 0 leaves the queue to other workers.
    slots: Mapping[str, int] = field(default_factory=dict)
    #: The number of these that the jobs of one owner take; all of them for queues that this does not name.
    shares: Mapping[str, int] = field(default_factory=dict)
    #: The number of slots of queues that `slots` does not name.
    default_slots: Annotated[int, Setting("job_slots", between(1, 64))] = 4
    #: A killed worker's jobs run elsewhere after this time. There are three heartbeats in it.
    lease_ms: int = 30_000
    #: An idle worker that is not woken polls this often.
    poll_ms: int = 1_000

    def validate(self) -> None:
        if min([self.default_slots, *self.slots.values()]) < 0:
            raise ValueError("A queue's slots must be 0 or more.")
        if self.lease_ms < 100:
            raise ValueError("The lease of jobs must be at least 100 ms.")
        if self.poll_ms < 10:
            raise ValueError("The poll for jobs must be at least 10 ms.")
