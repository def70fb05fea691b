"""Any sequence of writes and retries, beside a model of what the promise says.

The model is a dict from (caller, key) to the first answer. After every step the number of effects in the database is
the number that the model has counted.
"""

import json
import secrets
import time
from typing import Any

import httpx2
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from support.rounds import rounds
from support.servers.stowboard import Server
from support.stored.rows import rows

TOKENS = "/access/tokens"
CALLERS = st.sampled_from(["ann", "ann in blog", "ann herself", "ben"])
KEYS = st.sampled_from(["k1", "k2", "k3"])
BODIES = st.sampled_from([{"owner": "x"}, {"owner": "x", "scopes": ["media:read"]}, {"owner": "y"}])
BOUNDED = settings(
    max_examples=rounds(3, 10),
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def test_the_service_agrees_with_the_model_of_its_promise(server: Server) -> None:
    with httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=120) as http:
        run_state_machine_as_test(lambda: Promise(server, http), settings=BOUNDED)  # type: ignore[arg-type]


class Promise(RuleBasedStateMachine):
    def __init__(self, server: Server, http: httpx2.Client) -> None:
        super().__init__()
        self.server, self.http = server, http
        self.run = "m" + secrets.token_hex(6)
        self.people = {
            "ann": {"owner": self.run},
            "ann in blog": {"owner": self.run, "namespace": "blog"},
            "ann herself": {"owner": self.run, "kind": "interactive"},
            "ben": {"owner": self.run + "b"},
        }
        self.secrets = {who: self.issue(who) for who in self.people}
        self.kept: dict[tuple[str, str], tuple[Any, httpx2.Response]] = {}
        self.effects = 0
        self.targets: list[str] = []

    @rule(who=CALLERS, key=KEYS, body=BODIES, quoted=st.booleans(), backwards=st.booleans())
    def create(self, who: str, key: str, body: dict[str, Any], quoted: bool, backwards: bool) -> None:
        members = [*body.items(), ("name", self.run)]
        text = json.dumps(dict(members[::-1] if backwards else members), indent=2 if backwards else None)
        answer = self.send(who, "POST", TOKENS, f'"{key}"' if quoted else key, content=text)
        if self.agrees(who, key, ("create", json.dumps(body, sort_keys=True)), answer, 201):
            self.effects += 1
            self.targets.append(answer.json()["data"]["id"])

    @precondition(lambda self: self.targets)
    @rule(who=CALLERS, key=KEYS, choice=st.integers(0, 2))
    def revoke(self, who: str, key: str, choice: int) -> None:
        target = self.targets[choice % len(self.targets)]
        gone = rows(self.server, f"SELECT revoked_at FROM access_token WHERE id = '{target}'")[0][0] is not None
        answer = self.send(who, "DELETE", f"{TOKENS}/{target}", key)
        self.agrees(who, key, ("revoke", target), answer, 404 if gone else 200)

    @rule(who=CALLERS, key=KEYS, text=st.sampled_from(["{", '{"owner": 1}', "[]", '{"owner": "x", "kind": "robot"}']))
    def send_nonsense(self, who: str, key: str, text: str) -> None:
        assert self.send(who, "POST", TOKENS, key, content=text).status_code == 400

    @rule(key=KEYS)
    def send_without_a_token(self, key: str) -> None:
        headers = {"authorization": "Bearer nobody", "idempotency-key": key}
        assert self.http.post(TOKENS, json={"owner": "x", "name": self.run}, headers=headers).status_code == 401

    @rule(who=CALLERS)
    def replace_the_token(self, who: str) -> None:
        self.secrets[who] = self.issue(who)

    @rule(ahead=st.sampled_from([0, 60_000]))
    def let_the_day_pass(self, ahead: int) -> None:
        """All but the last minute of it, or all."""
        now = time.time_ns() // 1_000_000
        live = f"scope LIKE '[\"{self.run}%' AND expires_at > {now}"
        rows(self.server, f"UPDATE idempotency SET expires_at = {now + ahead} WHERE {live}")
        if ahead == 0:
            self.kept.clear()

    @invariant()
    def every_effect_is_in_the_model(self) -> None:
        [(effects,)] = rows(self.server, f"SELECT count(*) FROM access_token WHERE name = '{self.run}'")
        assert effects == self.effects

    @invariant()
    def every_kept_reply_is_in_the_model(self) -> None:
        [(kept,)] = rows(
            self.server,
            f"SELECT count(*) FROM idempotency WHERE scope LIKE '[\"{self.run}%'"
            f" AND expires_at > {time.time_ns() // 1_000_000}",
        )
        assert kept == len(self.kept)

    def agrees(self, who: str, key: str, request: Any, answer: httpx2.Response, status: int) -> bool:
        """Check an answer against the model; whether it was done now."""
        known = self.kept.get((who, key))
        if known is None:
            assert answer.status_code == status
            assert "idempotent-replayed" not in answer.headers
            self.kept[who, key] = request, answer
            return True
        first_request, first_answer = known
        if request != first_request:
            assert answer.status_code == 422
            return False
        assert (answer.status_code, answer.content) == (first_answer.status_code, first_answer.content)
        assert answer.headers["idempotent-replayed"] == "true"
        return False

    def send(self, who: str, method: str, path: str, key: str, content: str | None = None) -> httpx2.Response:
        headers = {"authorization": f"Bearer {self.secrets[who]}", "idempotency-key": key}
        return self.http.request(method, path, content=content, headers=headers)

    def issue(self, who: str) -> str:
        body = self.people[who] | {"admin": True}
        return str(self.http.post(TOKENS, json=body).json()["data"]["token"])
