"""Checks that every answer has its envelope."""

from typing import Any

import httpx2
from http_sfv.list import List


def data_of(answer: httpx2.Response, status: int = 200) -> Any:
    """The data of a success, whose envelope has both of its members and no other."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    assert list(answer.json()) == ["data", "meta"]
    return answer.json()["data"]


def error_of(answer: httpx2.Response) -> tuple[int, str]:
    """Status and code of an error, whose envelope has nothing beside code and message."""
    content = answer.json()
    assert list(content) == ["error"], content
    assert list(content["error"]) == ["code", "message"]
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-request-id"]
    message = content["error"]["message"]
    assert len(message) > 10
    assert message.endswith((".", "?"))
    return answer.status_code, content["error"]["code"]


def message_of(answer: httpx2.Response) -> str:
    return str(answer.json()["error"]["message"])


def check_quota(answer: httpx2.Response) -> None:
    """The rate limit is announced, in fields that a parser of structured fields can read."""
    policies, quota = List(), List()
    policies.parse(answer.headers["ratelimit-policy"].encode())
    quota.parse(answer.headers["ratelimit"].encode())
    windows = {policy.value: policy.params for policy in policies}
    assert set(windows) == {"default", "burst"}
    assert all(isinstance(params[key], int) for params in windows.values() for key in ("q", "w"))
    (burst,) = quota
    assert burst.value == "burst"
    assert 0 <= burst.params["r"] <= windows["burst"]["q"]
    assert burst.params["t"] >= 0
