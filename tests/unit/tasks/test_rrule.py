"""Which rules are taken, in which form they are kept, and what is said about the others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.tasks.recurrence.rrule import WrongRecurrence, parse_rule
from support.tasks.recurrence_rules import rules


@given(rules)
def test_the_one_form_of_a_rule_is_its_own_one_form_and_no_longer_than_what_was_written(text: str) -> None:
    kept = str(parse_rule(text))
    assert parse_rule(kept) == parse_rule(text)
    assert str(parse_rule(kept)) == kept
    assert len(kept) <= len(text)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("FREQ=DAILY", "FREQ=DAILY"),
        ("RRULE:FREQ=DAILY", "FREQ=DAILY"),
        ("rrule:freq=weekly;byday=fr,mo", "FREQ=WEEKLY;BYDAY=MO,FR"),
        (" FREQ=DAILY;INTERVAL=1\n", "FREQ=DAILY"),
        ("INTERVAL=02;FREQ=MONTHLY;BYMONTHDAY=15,1,15,-1", "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-1,1,15"),
        ("FREQ=MONTHLY;BYDAY=+3FR", "FREQ=MONTHLY;BYDAY=3FR"),
        ("FREQ=YEARLY;WKST=MO;COUNT=3;BYMONTH=5", "FREQ=YEARLY;BYMONTH=5;COUNT=3"),
        ("FREQ=WEEKLY;WKST=SU;UNTIL=20301231T090000Z", "FREQ=WEEKLY;WKST=SU;UNTIL=20301231T090000Z"),
        ("FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU,WE,TH,FR", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
    ],
)
def test_a_rule_is_kept_in_one_form(written: str, kept: str) -> None:
    assert str(parse_rule(written)) == kept


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "like FREQ=WEEKLY"),
        ("every day", "like FREQ=WEEKLY"),
        ("FREQ=DAILY\nFREQ=WEEKLY", "like FREQ=WEEKLY"),
        ("FREQ=DA\u0130LY", "like FREQ=WEEKLY"),
        ("FREQ=DAILY;INTERVAL=\u0663", "like FREQ=WEEKLY"),
        ("FREQ=DAILY;BYMONTH=" + ",".join(["1"] * 100), "at most 200"),
        ("INTERVAL=2", "FREQ is missing"),
        ("FREQ", "FREQ is not of the form"),
        ("FREQ=", "FREQ= is not of the form"),
        ("FREQ=DAILY;", "An empty part"),
        ("FREQ=DAILY=WEEKLY", "not of the form"),
        ("=DAILY", "A part without a name"),
        ("FREQ=DAILY;FREQ=WEEKLY", "FREQ is given twice"),
        ("FREQ=SECONDLY", "FREQ=SECONDLY is not taken"),
        ("FREQ=MINUTELY", "FREQ=MINUTELY is not taken"),
        ("FREQ=HOURLY;INTERVAL=24", "FREQ=HOURLY is not taken"),
        ("FREQ=DAILY;BYHOUR=9", "BYHOUR is not taken"),
        ("FREQ=YEARLY;BYWEEKNO=20", "BYWEEKNO is not taken"),
        ("FREQ=YEARLY;BYYEARDAY=200", "BYYEARDAY is not taken"),
        ("FREQ=YEARLY;BYEASTER=0", "BYEASTER is not taken"),
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL has 0; it takes 1 to 999"),
        ("FREQ=DAILY;INTERVAL=1000", "INTERVAL has 1000"),
        ("FREQ=DAILY;INTERVAL=-1", "INTERVAL has -1"),
        ("FREQ=DAILY;INTERVAL=99999999999", "INTERVAL has 99999999999"),
        ("FREQ=DAILY;COUNT=0", "COUNT has 0"),
        ("FREQ=DAILY;COUNT=1,2", "COUNT has 1,2"),
        ("FREQ=DAILY;COUNT=3;UNTIL=20301231", "COUNT and UNTIL exclude each other"),
        ("FREQ=DAILY;UNTIL=tomorrow", "UNTIL=TOMORROW is not a date"),
        ("FREQ=DAILY;UNTIL=20300230", "UNTIL=20300230 is not a date"),
        ("FREQ=DAILY;UNTIL=20301231T250000Z", "UNTIL=20301231T250000Z is not a date"),
        ("FREQ=DAILY;UNTIL=20301231Z", "UNTIL=20301231Z is not a date"),
        ("FREQ=YEARLY;BYMONTH=13", "BYMONTH has 13; it takes 1 to 12"),
        ("FREQ=YEARLY;BYMONTH=-1", "BYMONTH has -1"),
        ("FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY has 0; it takes 1 to 31, or as far below zero"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,,2", "BYMONTHDAY has an empty item"),
        ("FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY does not go with FREQ=WEEKLY"),
        ("FREQ=WEEKLY;BYDAY=MONDAY", "BYDAY has MONDAY"),
        ("FREQ=MONTHLY;BYDAY=0MO", "BYDAY has 0MO"),
        ("FREQ=WEEKLY;BYDAY=2MO", "BYDAY takes no numbers with FREQ=WEEKLY"),
        ("FREQ=MONTHLY;BYDAY=6MO", "BYDAY counts to 6; there are at most 5"),
        ("FREQ=YEARLY;BYMONTH=3;BYDAY=-6MO", "BYDAY counts to 6; there are at most 5"),
        ("FREQ=YEARLY;BYDAY=54MO", "BYDAY counts to 54; there are at most 53"),
        ("FREQ=WEEKLY;WKST=XX", "WKST=XX is not a day"),
        ("FREQ=MONTHLY;BYSETPOS=1", "BYSETPOS needs BYDAY, BYMONTHDAY or BYMONTH"),
        ("FREQ=DAILY;BYDAY=MO;BYSETPOS=2", "BYSETPOS asks for number 2; the rule gives at most 1"),
        ("FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=-3", "BYSETPOS asks for number 3; the rule gives at most 2"),
        ("FREQ=MONTHLY;BYDAY=MO,2TU;BYSETPOS=7", "BYSETPOS asks for number 7; the rule gives at most 6"),
        ("FREQ=YEARLY;BYDAY=MO;BYSETPOS=54", "BYSETPOS asks for number 54; the rule gives at most 53"),
        ("FREQ=YEARLY;BYMONTH=1,2;BYMONTHDAY=1,2;BYSETPOS=5", "BYSETPOS asks for number 5; the rule gives at most 4"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "No month in BYMONTH has a day in BYMONTHDAY"),
        ("FREQ=DAILY;BYMONTH=4,6;BYMONTHDAY=31,-31", "No month in BYMONTH has a day in BYMONTHDAY"),
    ],
)
def test_a_wrong_rule_is_told_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(WrongRecurrence) as refused:
        parse_rule(text)
    assert said in str(refused.value)


@given(st.text(max_size=250) | st.text("FREQDAILYBSTNU=;,:+-0123456789 ", max_size=60))
def test_whatever_is_written_is_taken_or_refused_with_a_sentence(text: str) -> None:
    said = what_is_said_about(text)
    assert said is None or (said.endswith(".") and said.isascii())


def what_is_said_about(text: str) -> str | None:
    try:
        parse_rule(text)
    except WrongRecurrence as refused:
        return str(refused)
    return None
