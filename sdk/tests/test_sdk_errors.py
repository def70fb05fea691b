"""Which answer becomes which error, and what the error tells."""

import pickle

import pytest
from both_faces import Face, settled
from scripted_server import Answer, ScriptedServer, error

from stowboard_client import errors
from stowboard_client.errors import ApiError


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (error(404, "not_found"), errors.NotFound),
        (error(404, "route_not_found"), errors.RouteNotFound),
        (error(401, "invalid_token"), errors.InvalidToken),
        (error(403, "admin_required"), errors.AdminRequired),
        (error(409, "conflict"), errors.Conflict),
        (error(422, "idempotency_key_reused"), errors.IdempotencyKeyReused),
        (error(500, "internal_error"), errors.InternalError),
        (error(507, "insufficient_storage"), errors.InsufficientStorage),
        (error(404, "code_of_the_future"), errors.Missing),
        (error(409, "code_of_the_future"), errors.StateConflict),
        (error(500, "code_of_the_future"), errors.ServerError),
        (error(418, "code_of_the_future"), ApiError),
    ],
)
async def test_an_error_is_an_exception_of_its_code_else_of_its_status(
    face: Face, server: ScriptedServer, answer: Answer, kind: type[ApiError]
) -> None:
    server.will(answer)
    with pytest.raises(ApiError) as raised:
        await settled(face.client().tokens.get("tok_1"))
    assert type(raised.value) is kind
    assert len(server.seen) == 1


async def test_an_error_tells_code_message_and_the_request_to_quote(face: Face, server: ScriptedServer) -> None:
    server.will(error(400, "validation_failed", "owner is missing.", X_Request_Id="req_9"))
    with pytest.raises(errors.ValidationFailed) as raised:
        await settled(face.client().tokens.create(""))
    failure = raised.value
    assert (failure.status, failure.code, failure.message) == (400, "validation_failed", "owner is missing.")
    assert (failure.request_id, failure.retry_after) == ("req_9", None)
    assert str(failure) == "400 validation_failed: owner is missing. (request req_9)"


async def test_an_answer_from_something_before_the_service_is_an_error_of_its_status(
    face: Face, server: ScriptedServer
) -> None:
    server.will(Answer(413, b"<html>too large</html>"))
    with pytest.raises(errors.PayloadTooLarge) as raised:
        await settled(face.client().tokens.get("tok_1"))
    assert raised.value.code == "http_413"


async def test_a_redirect_is_not_followed_with_the_token(face: Face, server: ScriptedServer) -> None:
    server.will(Answer(301, b"", {"location": server.url + "/elsewhere"}))
    with pytest.raises(ApiError) as raised:
        await settled(face.client().index())
    assert raised.value.code == "http_301"
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("header", "seconds"), [("7", 7.0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0), ("soon", None), ("-1", None)]
)
async def test_retry_after_is_read_as_seconds_or_as_a_date(
    face: Face, server: ScriptedServer, header: str, seconds: float | None
) -> None:
    server.will(error(429, "rate_limited", Retry_After=header))
    with pytest.raises(errors.RateLimited) as raised:
        await settled(face.client().with_options(patience=0).index())
    assert raised.value.retry_after == seconds


def test_an_error_survives_pickling_so_worker_processes_can_raise_it() -> None:
    failure = errors.RateLimited(429, "rate_limited", "Wait.", "req_1", 3.0)
    copy = pickle.loads(pickle.dumps(failure))
    assert type(copy) is errors.RateLimited
    assert vars(copy) == vars(failure)


def test_every_class_of_a_code_is_in_the_table() -> None:
    families = set(errors.BY_STATUS.values()) | {errors.ServerError}
    concrete = {
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, ApiError) and kind is not ApiError
    }
    assert concrete - set(errors.BY_CODE.values()) <= families
