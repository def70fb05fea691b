"""When requests keep a process busy, told by the processor time that it took itself."""

from stowboard.jobs.own_load import OwnLoad


class Times:
    """A clock, and how much of a core was taken so far."""

    def __init__(self) -> None:
        self.now, self.used = 100.0, 7.0

    def go_on(self, seconds: float, share: float) -> None:
        self.now, self.used = self.now + seconds, self.used + seconds * share


def test_a_process_is_busy_while_it_takes_most_of_a_core() -> None:
    times = Times()
    load = OwnLoad(lambda: times.now, lambda: times.used)
    assert not load.is_heavy()
    for share, is_heavy in ((0.9, True), (1.7, True), (0.1, False), (0.4, False), (0.6, True), (0.0, False)):
        times.go_on(0.2, share)
        assert load.is_heavy() == is_heavy


def test_what_begins_after_a_long_rest_is_not_yet_busy_and_soon_is() -> None:
    times = Times()
    load = OwnLoad(lambda: times.now, lambda: times.used)
    times.go_on(60, 0)
    times.go_on(0.05, 1)
    assert not load.is_heavy()
    times.go_on(0.2, 1)
    assert load.is_heavy()


def test_a_moment_is_too_short_to_tell() -> None:
    times = Times()
    load = OwnLoad(lambda: times.now, lambda: times.used)
    times.go_on(0.01, 2)
    assert not load.is_heavy()
