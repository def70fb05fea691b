"""No operation finds anything by an id that the database cannot even store."""

import re

import httpx2

from stowboard.catalogue import ENDPOINTS

_PARAMETER = re.compile(r"\{\w+\}")


def test_an_id_with_a_nul_is_not_found_by_any_operation(admin: httpx2.Client) -> None:
    answers: dict[str, int] = {}
    for endpoint in ENDPOINTS:
        for found in _PARAMETER.finditer(endpoint.path):
            before, after = endpoint.path[: found.start()], endpoint.path[found.end() :]
            path = f"{_PARAMETER.sub('x', before)}a%00b{_PARAMETER.sub('x', after)}"
            body = None if endpoint.body is None else endpoint.example_body or {}
            answer = admin.request(endpoint.method, httpx2.URL(f"/api/v1{path}"), json=body)
            answers[f"{endpoint.method} {path}"] = answer.status_code
    assert len(answers) > 80
    assert {path: status for path, status in answers.items() if status != 404} == {}
