"""Retries: which requests are repeated, when, and that a write happens once."""

import httpx2
import pytest
from both_faces import Face, settled
from scripted_server import Answer, HangUp, ScriptedServer, data, error
from test_sdk_operations import TOKEN

from stowboard_client import ApiError, ConnectionFailed
from stowboard_client.client import get_index
from stowboard_client.errors import OutcomeUnknown, RateLimited
from stowboard_client.transport.auth import FixedToken
from stowboard_client.transport.session import Options, Session
from stowboard_client.transport.steps import Pause

ISSUED = data({**TOKEN, "token": "stow_new"}, status=201)
CUT = Answer(ISSUED.status, ISSUED.body, cut_after=20)


@pytest.mark.parametrize(
    "hitch",
    [
        HangUp(),
        CUT,
        error(429, "rate_limited", Retry_After="1"),
        error(409, "idempotency_in_progress", Retry_After="1"),
        error(503, "service_unavailable"),
        error(503, "outcome_unknown"),
        Answer(502, b"<html>"),
        Answer(504, b""),
    ],
    ids=["hang-up", "cut", "429", "in-progress", "503", "unknown", "502", "504"],
)
async def test_a_write_that_meets_a_passing_failure_is_repeated_under_one_key(
    face: Face, server: ScriptedServer, hitch: Answer | HangUp
) -> None:
    server.will(hitch, hitch, ISSUED)
    issued = await settled(face.client().tokens.create("ada"))
    assert issued.id == "tok_1"
    assert len(server.seen) == 3
    assert len({(asked.headers["idempotency-key"], asked.body) for asked in server.seen}) == 1


@pytest.mark.parametrize(
    "refusal",
    [
        error(400, "validation_failed"),
        error(401, "invalid_token"),
        error(404, "not_found"),
        error(409, "conflict", Retry_After="1"),
        error(422, "idempotency_key_reused"),
        error(500, "internal_error"),
        error(507, "insufficient_storage", Retry_After="60"),
    ],
    ids=lambda answer: str(answer.status),
)
async def test_a_refusal_is_not_repeated(face: Face, server: ScriptedServer, refusal: Answer) -> None:
    server.will(refusal)
    with pytest.raises(ApiError):
        await settled(face.client().tokens.create("ada"))
    assert len(server.seen) == 1
    assert face.naps == []


async def test_the_wait_is_never_shorter_than_the_service_asked(face: Face, server: ScriptedServer) -> None:
    server.will(
        error(429, "rate_limited", Retry_After="7"), error(503, "service_unavailable", Retry_After="3"), data({})
    )
    await settled(face.client().index())
    assert face.naps == [7.0, 3.0]


async def test_without_advice_the_waits_grow_and_vary(face: Face, server: ScriptedServer) -> None:
    server.will(*[error(503, "service_unavailable")] * 4, data({}))
    await settled(face.client().index())
    for nap, longest in zip(face.naps, [0.25, 0.5, 1.0, 2.0], strict=True):
        assert longest / 2 <= nap <= longest


async def test_the_last_failure_is_raised_when_the_attempts_are_used_up(face: Face, server: ScriptedServer) -> None:
    server.will(*[error(503, "service_unavailable")] * 2, error(503, "outcome_unknown", Retry_After="2"))
    with pytest.raises(OutcomeUnknown):
        await settled(face.client().with_options(retries=2).index())
    assert len(server.seen) == 3
    assert len(face.naps) == 2


async def test_the_rate_limit_is_waited_out_even_without_retries(face: Face, server: ScriptedServer) -> None:
    server.will(*[error(429, "rate_limited", Retry_After="9")] * 6, data({}))
    await settled(face.client().with_options(retries=0).index())
    assert face.naps == [9.0] * 6


async def test_waiting_for_the_rate_limit_uses_up_no_retries(face: Face, server: ScriptedServer) -> None:
    limited, away = error(429, "rate_limited", Retry_After="9"), error(503, "service_unavailable")
    server.will(*[limited] * 4, *[away] * 2, data({}))
    await settled(face.client().with_options(retries=2).index())
    assert len(server.seen) == 7


async def test_a_client_with_other_options_leaves_the_first_as_it_was(face: Face, server: ScriptedServer) -> None:
    client = face.client()
    client.with_options(retries=0)
    server.will(error(503, "service_unavailable"), data({}))
    await settled(client.index())
    assert len(server.seen) == 2


async def test_a_wait_beyond_the_patience_is_the_callers_to_take(face: Face, server: ScriptedServer) -> None:
    server.will(error(429, "rate_limited", Retry_After="61"))
    with pytest.raises(RateLimited) as raised:
        await settled(face.client().index())
    assert raised.value.retry_after == 61
    assert face.naps == []


async def test_a_server_that_is_not_there_is_a_failed_connection_after_all_attempts(face: Face) -> None:
    with pytest.raises(ConnectionFailed, match="ConnectError") as raised:
        await settled(face.client(url="http://127.0.0.1:1").with_options(retries=2).index())
    assert raised.value.__cause__ is not None
    assert len(face.naps) == 2


async def test_an_answer_cut_in_the_middle_is_not_taken_for_a_whole_one(face: Face, server: ScriptedServer) -> None:
    server.will(CUT)
    with pytest.raises(ConnectionFailed):
        await settled(face.client().with_options(retries=0).tokens.create("ada"))


async def test_a_key_that_no_header_can_carry_is_refused_before_anything_is_sent(
    face: Face, server: ScriptedServer
) -> None:
    with pytest.raises(ValueError, match="the idempotency key"):
        await settled(face.client().tokens.create("ada", idempotency_key="a\nb"))
    assert server.seen == []


def test_no_attempt_starts_once_the_patience_is_spent() -> None:
    """Driven by hand, since the conversation itself neither sends nor sleeps: the clock is ours."""
    clock = [0.0]
    options = Options(retries=1000, patience=20.0)
    session = Session("http://stow.example/api/v1", FixedToken("t"), options, now=lambda: clock[0])
    with pytest.raises(ConnectionFailed):
        _drive_through(httpx2.ReadTimeout("silence"), session, clock)
    assert 10.0 < clock[0] <= 22.0


def test_the_rate_limit_is_waited_out_no_longer_than_the_patience() -> None:
    clock = [0.0]
    options = Options(retries=0, patience=20.0)
    session = Session("http://stow.example/api/v1", FixedToken("t"), options, now=lambda: clock[0])
    with pytest.raises(RateLimited):
        _drive_through(httpx2.Response(429, headers={"retry-after": "3"}), session, clock)
    assert clock[0] == 22.0  # five attempts of 2 seconds, and 3 seconds after each but the last


def _drive_through(outcome: httpx2.Response | httpx2.RequestError, session: Session, clock: list[float]) -> None:
    steps = session.perform(get_index())
    step = next(steps)
    while True:
        if isinstance(step, Pause):
            clock[0] += step.seconds
            step = steps.send(None)
        else:
            clock[0] += 2.0
            step = steps.send(outcome)
