"""The OpenAPI document that comes from a table of endpoints."""

import re
from typing import Any

import pytest

from stowboard.api.documents.catalogue import problems_of
from stowboard.api.documents.openapi import document
from support.api.example_api import CATALOGUE, ENDPOINTS

ORIGIN = "https://stowboard.test"
Json = dict[str, Any]


@pytest.fixture(scope="module")
def doc() -> Json:
    return document(CATALOGUE, ORIGIN)


def operation(doc: Json, method: str, path: str) -> Json:
    found: Json = doc["paths"][path][method]
    return found


def statuses(operation: Json) -> set[str]:
    return set(operation["responses"])


def resolved(doc: Json, node: Json) -> Json:
    while "$ref" in node:
        *_, kind, name = node["$ref"].split("/")
        node = doc["components"][kind][name]
    return node


def codes(doc: Json, operation: Json, status: str) -> list[str]:
    found: list[str] = resolved(doc, operation["responses"][status])["x-error-codes"]
    return found


def parameters(doc: Json, operation: Json) -> dict[str, Json]:
    return {found["name"]: found for found in (resolved(doc, each) for each in operation.get("parameters", []))}


def test_the_document_names_its_version_and_addresses_this_installation(doc: Json) -> None:
    assert doc["openapi"] == "3.1.0"
    assert [server["url"] for server in doc["servers"]] == [ORIGIN + "/api/v1"]
    assert doc["info"]["license"]["identifier"] == "Apache-2.0"
    assert doc["components"]["securitySchemes"]["oauth2"]["flows"]["clientCredentials"] == {
        "tokenUrl": ORIGIN + "/oauth/token",
        "scopes": {"boxes:read": "See boxes.", "boxes:write": "Change boxes.", "admin": "Everything."},
    }


def test_every_endpoint_is_an_operation_with_an_id_of_its_own(doc: Json) -> None:
    ids = [operation["operationId"] for path in doc["paths"].values() for operation in path.values()]
    assert sorted(ids) == sorted(endpoint.operation_id for endpoint in ENDPOINTS)
    assert len(set(ids)) == len(ids)
    assert operation(doc, "delete", "/crates/{box_id}")["operationId"] == "deleteBoxAlias"


def test_a_docstring_is_the_summary_and_the_description(doc: Json) -> None:
    create = operation(doc, "post", "/boxes")
    assert create["summary"] == "Put a box on a shelf"
    assert create["description"] == "It goes to the end.\n\nNeeds the scope `boxes:write`."
    assert create["tags"] == ["Boxes"]


def test_an_operation_names_its_scope_and_the_index_needs_none(doc: Json) -> None:
    assert operation(doc, "get", "/boxes")["security"] == [{"bearerAuth": []}, {"oauth2": ["boxes:read"]}]
    assert operation(doc, "get", "/")["security"] == [{"bearerAuth": []}, {"oauth2": []}]


def test_success_is_always_data_and_meta(doc: Json) -> None:
    for endpoint in ENDPOINTS:
        response = operation(doc, endpoint.method.lower(), endpoint.path)["responses"][str(endpoint.status)]
        schema = resolved(doc, response["content"]["application/json"]["schema"])
        assert schema["required"] == ["data", "meta"]


def test_a_second_status_of_success_is_documented_with_its_reason(doc: Json) -> None:
    answers = operation(doc, "post", "/boxes")["responses"]
    assert answers["200"]["description"] == "The box was there already."
    assert answers["201"]["headers"]["Location"]["description"] == "Where the box is."


def test_what_is_always_in_an_answer_is_required_and_what_may_be_unset_is_not(doc: Json) -> None:
    assert doc["components"]["schemas"]["Box"]["required"] == ["id", "label", "paintedIn", "note"]
    assert doc["components"]["schemas"]["BoxBody"]["required"] == ["label"]


def test_a_member_that_is_a_scope_lists_those_that_exist(doc: Json) -> None:
    array, _ = doc["components"]["schemas"]["BoxBody"]["properties"]["needs"]["anyOf"]
    assert array["items"]["enum"] == ["boxes:read", "boxes:write", "admin"]


def test_query_parameters_have_their_names_limits_and_defaults(doc: Json) -> None:
    found = parameters(doc, operation(doc, "get", "/boxes"))
    assert found["limit"]["schema"] == {"type": "integer", "minimum": 1, "default": 50}
    assert found["limit"]["description"].startswith("How many")
    assert found["cursor"]["schema"] == {"type": "string", "maxLength": 4096}
    assert resolved(doc, found["paintedIn"]["schema"])["enum"] == ["blue", "red"]
    assert {name for name, parameter in found.items() if parameter["required"]} == {"shelf"}


def test_a_body_is_required_only_if_one_of_its_members_is(doc: Json) -> None:
    assert operation(doc, "post", "/boxes")["requestBody"]["required"] is True
    assert operation(doc, "patch", "/boxes/{box_id}")["requestBody"]["required"] is False
    assert "requestBody" not in operation(doc, "delete", "/boxes/{box_id}")


def test_writes_take_an_idempotency_key_and_reads_do_not(doc: Json) -> None:
    with_key = {
        endpoint.operation_id
        for endpoint in ENDPOINTS
        if "Idempotency-Key" in parameters(doc, operation(doc, endpoint.method.lower(), endpoint.path))
    }
    assert with_key == {"createBox", "changeBox", "deleteBox", "deleteBoxAlias", "copyBoxes"}


@pytest.mark.parametrize("key", ["a", "order 66", 'a"b', '"quoted"', r'"with \" inside"', "x" * 255])
def test_the_idempotency_key_pattern_takes_what_the_server_takes(doc: Json, key: str) -> None:
    assert re.search(doc["components"]["parameters"]["IdempotencyKey"]["schema"]["pattern"], key)


@pytest.mark.parametrize("key", ["", " a", "a ", '"open', '""', "é", "x" * 256])
def test_the_idempotency_key_pattern_refuses_what_the_server_refuses(doc: Json, key: str) -> None:
    assert not re.search(doc["components"]["parameters"]["IdempotencyKey"]["schema"]["pattern"], key)


def test_a_read_without_parameters_is_refused_for_them_for_its_token_or_by_the_server(doc: Json) -> None:
    assert statuses(operation(doc, "get", "/")) == {"200", "400", "401", "429", "431", "500", "503"}


def test_a_write_with_a_body_documents_every_status_the_platform_adds(doc: Json) -> None:
    create = operation(doc, "post", "/boxes")
    expected = "200 201 400 401 403 408 409 413 415 422 429 431 500 503 507"
    assert statuses(create) == set(expected.split())
    assert codes(doc, create, "400") == [
        "validation_failed",
        "invalid_json",
        "invalid_parameter",
        "idempotency_key_invalid",
    ]
    assert codes(doc, create, "403") == ["insufficient_scope", "insufficient_role"]
    assert codes(doc, create, "409") == ["idempotency_in_progress", "conflict"]


def test_a_post_that_only_reads_cannot_conflict_with_a_key(doc: Json) -> None:
    assert not {"409", "422", "507"} & statuses(operation(doc, "post", "/boxes/count"))


def test_an_admin_operation_refuses_with_admin_required(doc: Json) -> None:
    assert codes(doc, operation(doc, "delete", "/boxes/{box_id}"), "403") == ["admin_required"]


def test_a_list_documents_a_bad_parameter_and_a_bad_cursor(doc: Json) -> None:
    assert codes(doc, operation(doc, "get", "/boxes"), "400") == ["invalid_parameter", "invalid_cursor"]


def test_the_document_has_exactly_the_errors_that_the_catalogue_computes(doc: Json) -> None:
    for endpoint in ENDPOINTS:
        described = operation(doc, endpoint.method.lower(), endpoint.path)
        documented = {status: codes(doc, described, status) for status in statuses(described) if int(status) >= 400}
        computed = {str(status): [p.code for p in found] for status, found in problems_of(endpoint).items()}
        assert documented == computed


def test_an_error_response_enumerates_its_codes_and_shows_each(doc: Json) -> None:
    for response in doc["components"]["responses"].values():
        content = response["content"]["application/json"]
        assert content["schema"] == {"$ref": "#/components/schemas/Error"}
        assert list(content["examples"]) == response["x-error-codes"]


def test_every_answer_carries_the_limit_and_the_request_id(doc: Json) -> None:
    for path in doc["paths"].values():
        for described in path.values():
            for response in described["responses"].values():
                headers = resolved(doc, response)["headers"]
                assert {"RateLimit", "RateLimit-Policy", "X-Request-Id"} <= set(headers)


def test_headers_are_documented_where_they_are_sent(doc: Json) -> None:
    create = operation(doc, "post", "/boxes")
    read = operation(doc, "get", "/boxes/{box_id}")
    with_retry = {s for s in statuses(create) if "Retry-After" in resolved(doc, create["responses"][s])["headers"]}
    assert with_retry == {"409", "429", "503", "507"}
    assert "WWW-Authenticate" in resolved(doc, create["responses"]["401"])["headers"]
    assert "Idempotent-Replayed" in create["responses"]["201"]["headers"]
    assert "Idempotent-Replayed" in resolved(doc, create["responses"]["409"])["headers"]
    assert "Idempotent-Replayed" not in resolved(doc, read["responses"]["404"])["headers"]


def test_examples_of_the_table_are_in_the_document(doc: Json) -> None:
    content = operation(doc, "get", "/boxes")["responses"]["200"]["content"]["application/json"]
    assert content["example"]["data"][0]["label"] == "Letters"
    assert content["example"]["meta"] == {"limit": 50, "hasMore": False, "nextCursor": None}
    body = operation(doc, "post", "/boxes")["requestBody"]["content"]["application/json"]
    assert body["example"] == {"label": "Letters"}


def test_making_a_thing_links_to_the_operations_on_it(doc: Json) -> None:
    links = operation(doc, "post", "/boxes")["responses"]["201"]["links"]
    assert set(links) == {"getBox", "changeBox", "deleteBox"}
    assert links["getBox"]["parameters"] == {"box_id": "$response.body#/data/id"}


def test_a_thing_made_elsewhere_links_to_the_operations_on_its_kind(doc: Json) -> None:
    assert "getBox" in operation(doc, "post", "/copies")["responses"]["201"]["links"]


def test_no_component_is_unused(doc: Json) -> None:
    text = repr({key: value for key, value in doc.items() if key != "components"}) + repr(doc["components"])
    for kind in ("schemas", "responses", "headers", "parameters"):
        for name in doc["components"][kind]:
            assert f"#/components/{kind}/{name}'" in text
