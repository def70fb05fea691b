"""Whatever a model makes up, it is told what is wrong with it: no call fails on our side, and none hangs."""

import functools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.clients.agents import Agent

pytestmark = pytest.mark.cluster_in_soak
WORDS = [
    "", " ", "none", "todo", "House", "2026-11-20", "2026-02-30", "9999-12-31T23:59:59Z", "0001-01-01T00:00+14:00",
    "20261120", "2026-W01", "T09:00", "UTC", "Europe/Berlin", "/etc/passwd", "FREQ=DAILY", "FREQ=WEEKLY;COUNT=0",
    "tsk_01m7gqmvpa70apewp1e3bsj6q1", "brd_01m7gqmvpa70apewp1e3bsj6q1", "ast_x", "vid_", "x.png", "x.txt", "aGVsbG8=",
    "\ud7ff\ue000", "\x00", "\U000e0041", "a" * 5000, "1e400", "-1", "=?base64?x?=",
]  # fmt: skip
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(WORDS)
)
values = scalars | st.lists(scalars, max_size=3) | st.dictionaries(st.sampled_from(WORDS), scalars, max_size=2)


@functools.cache
def names(agent: Agent) -> dict[str, list[str]]:
    return {tool["name"]: list(tool["inputSchema"].get("properties", {})) for tool in agent.tools()}


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_strange_arguments_are_refused_in_words(agent: Agent, data: Any) -> None:
    tool = data.draw(st.sampled_from(sorted(names(agent))))
    arguments = data.draw(st.dictionaries(st.sampled_from([*names(agent)[tool], "made-up"]), values, max_size=6))
    answer = agent.post("tools/call", name=tool, arguments=arguments)
    if answer.status_code == 400:  # U+0000, which no message may have
        assert answer.json()["error"]["code"] == -32600
    else:
        assert answer.status_code == 200, (tool, arguments, answer.text)
        assert "result" in answer.json()
