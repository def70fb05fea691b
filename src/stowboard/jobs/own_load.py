"""How busy the requests keep this process: its own threads, not the children that decode and transcode."""

import time
from collections.abc import Callable

#: Of one core. Uploads over a slow line take far less, and nothing has to wait for them.
HEAVY = 0.5
#: Looked at as often as this at most: what is shorter says little.
LOOK_S = 0.1


class OwnLoad:
    def __init__(
        self, clock: Callable[[], float] = time.monotonic, used: Callable[[], float] = time.process_time
    ) -> None:
        self._clock, self._used = clock, used
        self._from, self._used_by_then = clock(), used()
        self._is_heavy = False

    def is_heavy(self) -> bool:
        """In the time since it was last looked at."""
        now = self._clock()
        if now - self._from >= LOOK_S:
            used = self._used()
            self._is_heavy = used - self._used_by_then > HEAVY * (now - self._from)
            self._from, self._used_by_then = now, used
        return self._is_heavy
