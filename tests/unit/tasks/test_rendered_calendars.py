"""Rendered calendars are kept for one state of their tasks, within a bound of memory."""

from stowboard.tasks.calendar.routes import CalendarLook, RenderedCalendars


def look(owner: str) -> CalendarLook:
    return CalendarLook((owner,), None, titles=True, origin="https://stow.example.com", as_todo=False)


def test_a_calendar_is_found_for_its_own_state_alone() -> None:
    calendars = RenderedCalendars()
    calendars.keep(look("ann"), b"1", b"one")
    assert calendars.find(look("ann"), b"1") == b"one"
    assert calendars.find(look("ann"), b"2") is None
    assert calendars.find(look("ben"), b"1") is None
    calendars.keep(look("ann"), b"2", b"two")
    assert calendars.find(look("ann"), b"1") is None


def test_the_oldest_go_when_there_are_too_many_bytes() -> None:
    calendars = RenderedCalendars(most_bytes=10)
    for owner in ("ann", "ben", "cid"):
        calendars.keep(look(owner), b"1", b"1234")
    assert [calendars.find(look(owner), b"1") is not None for owner in ("ann", "ben", "cid")] == [False, True, True]
    calendars.keep(look("ben"), b"2", b"123456")
    assert calendars.find(look("ben"), b"2") == b"123456"
    assert calendars.find(look("cid"), b"1") == b"1234"
