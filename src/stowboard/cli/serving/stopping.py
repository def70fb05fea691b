"""A stop by a signal, which may come many times: the process ends with 0 all the same."""

import asyncio
import signal

_STOPS = (signal.SIGTERM, signal.SIGINT)


def stop_on_signals(stop: asyncio.Event) -> None:
    """Set the event at the first signal, and ignore all later ones to the very end of the process.

    A handler of the loop would end with the loop, and a later signal would then kill.
    """
    loop = asyncio.get_running_loop()

    def begin(_number: int, _frame: object) -> None:
        for number in _STOPS:
            signal.signal(number, signal.SIG_IGN)
        loop.call_soon_threadsafe(stop.set)

    for number in _STOPS:
        signal.signal(number, begin)
