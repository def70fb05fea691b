"""Signing in by a code that a person types, and staying signed in."""

from urllib.parse import parse_qs

import pytest
from both_faces import Face, settled
from scripted_server import Answer, ScriptedServer, data, document

from stowboard_client import DeviceCode, SignedIn, errors, sign_in_by_device

CODE = {"device_code": "stowd_1", "user_code": "BCDF-GHJK", "verification_uri": "http://s/device", "expires_in": 600}


def pending(error: str) -> Answer:
    return document(400, {"error": error, "error_description": "Wait."})


def test_a_code_is_shown_and_asked_for_until_somebody_typed_it(server: ScriptedServer) -> None:
    granted = document(200, {"access_token": "a", "refresh_token": "r1", "expires_in": 3600})
    server.will(document(200, CODE), pending("authorization_pending"), pending("slow_down"), granted)
    shown: list[DeviceCode] = []
    waited: list[float] = []
    signed_in = sign_in_by_device(server.url, shown.append, scopes=["tasks:read"], sleep=waited.append)
    assert (signed_in.refresh_token, signed_in.client_id) == ("r1", "stow")
    assert [code.user_code for code in shown] == ["BCDF-GHJK"]
    assert waited == [5, 5, 10]
    assert parse_qs(server.seen[0].body.decode()) == {"client_id": ["stow"], "scope": ["tasks:read"]}
    assert "r1" not in repr(signed_in)


@pytest.mark.parametrize("error", ["access_denied", "expired_token"])
def test_who_is_not_let_in_is_told(server: ScriptedServer, error: str) -> None:
    server.will(document(200, CODE), pending(error))
    with pytest.raises(errors.ApiError) as told:
        sign_in_by_device(server.url, lambda _: None, sleep=lambda _: None)
    assert told.value.code == error


async def test_a_refresh_token_is_used_once_and_the_next_one_is_kept(face: Face, server: ScriptedServer) -> None:
    first = document(200, {"access_token": "a1", "refresh_token": "r2", "expires_in": 3600})
    second = document(200, {"access_token": "a2", "refresh_token": "r3", "expires_in": 3600})
    server.will(first, document(401, {"error": {"code": "token_expired", "message": ""}}), second, data({}))
    kept: list[str] = []
    await settled(face.client(SignedIn("r1", renewed=kept.append)).index())
    assert kept == ["r2", "r3"]
    forms = [parse_qs(asked.body.decode()) for asked in server.seen if asked.path == "/oauth/token"]
    assert [form["refresh_token"] for form in forms] == [["r1"], ["r2"]]
    assert forms[0]["client_id"] == ["stow"]
    assert "authorization" not in server.seen[0].headers
