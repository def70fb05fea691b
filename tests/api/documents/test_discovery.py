"""Finding one's way around an installation, with and without a token."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

from support.servers.stacks import MakeServer
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak
DOCS = Path(__file__).parents[3] / "docs" / "api"
PUBLIC = [
    "/openapi.json",
    "/openapi.yaml",
    "/docs",
    "/docs/errors",
    "/docs/errors.json",
    "/llms.txt",
    "/.well-known/api-catalog",
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/api/v1",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-authorization-server",
]


@pytest.fixture(scope="module")
def web(shared_server: Server) -> Iterator[httpx2.Client]:
    """A client without a token."""
    with httpx2.Client(base_url=shared_server.origin) as client:
        yield client


@pytest.fixture(scope="module")
def admin(shared_server: Server) -> Iterator[httpx2.Client]:
    with httpx2.Client(headers=shared_server.headers) as client:
        yield client


@pytest.fixture
def index(server: Server, admin: httpx2.Client) -> httpx2.Response:
    return admin.get(server.base_url)


@pytest.mark.parametrize("path", ["", "/"])
def test_the_index_answers_with_and_without_a_slash(server: Server, admin: httpx2.Client, path: str) -> None:
    answer = admin.get(server.base_url + path)
    assert answer.status_code == 200
    assert answer.json()["data"]["version"] == "v1"
    assert answer.json()["meta"] == {}


def test_the_index_needs_a_token_and_the_refusal_links_the_oauth_documents(server: Server, web: httpx2.Client) -> None:
    answer = web.get(server.base_url)
    assert answer.status_code == 401
    linked = re.findall(r'_metadata="([^"]+)"', answer.headers["www-authenticate"])
    assert len(linked) == 2
    for url in linked:
        assert web.get(url).status_code == 200


def test_every_document_in_the_index_is_there_and_of_the_type_it_says(
    server: Server, web: httpx2.Client, index: httpx2.Response
) -> None:
    documents = index.json()["data"]["documents"]
    for entry in documents:
        assert entry["href"].startswith(server.origin + "/")
        answer = web.get(entry["href"])
        assert answer.status_code == 200, entry
        assert answer.headers["content-type"].startswith(entry["type"]), entry


def test_the_index_lists_every_public_document(server: Server, index: httpx2.Response) -> None:
    listed = {entry["href"].removeprefix(server.origin) for entry in index.json()["data"]["documents"]}
    assert set(PUBLIC) - listed == {"/.well-known/oauth-protected-resource"}  # the same document under a second name


def test_the_link_header_of_the_index_has_the_same_links(index: httpx2.Response) -> None:
    linked = re.findall(r'<([^>]+)>; rel="([^"]+)"', index.headers["link"])
    assert linked == [(entry["href"], entry["rel"]) for entry in index.json()["data"]["documents"]]


@pytest.mark.parametrize("path", PUBLIC)
def test_a_public_document_needs_no_token_and_is_not_sent_twice(web: httpx2.Client, path: str) -> None:
    first = web.get(path)
    assert first.status_code == 200
    again = web.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", PUBLIC)
def test_head_answers_like_get_without_the_body(web: httpx2.Client, path: str) -> None:
    head, whole = web.head(path), web.get(path)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-type", "etag", "content-length"):
        assert head.headers[name] == whole.headers[name]


def test_a_page_of_another_origin_may_read_the_documents(web: httpx2.Client) -> None:
    answer = web.get("/openapi.json", headers={"origin": "https://editor.test"})
    assert answer.headers["access-control-allow-origin"] == "*"


def test_json_and_yaml_are_the_same_document(web: httpx2.Client) -> None:
    text = web.get("/openapi.yaml").text
    assert yaml.load(text, yaml.CSafeLoader) == web.get("/openapi.json").json()
    assert not re.search(r"[&*]id\d{3}", text)


def test_links_begin_with_the_host_of_the_request(web: httpx2.Client) -> None:
    document = web.get("/openapi.json", headers={"host": "other.test:81"}).json()
    assert document["servers"][0]["url"] == "http://other.test:81/api/v1"
    assert "origin.invalid" not in web.get("/openapi.yaml").text


def test_the_protected_resource_names_itself_and_its_authorization_server(server: Server, web: httpx2.Client) -> None:
    document = web.get("/.well-known/oauth-protected-resource/api/v1").json()
    assert document["resource"] == server.base_url
    assert document["authorization_servers"] == [server.origin]
    assert document["bearer_methods_supported"] == ["header"]
    assert "admin" in document["scopes_supported"]


def test_the_authorization_server_promises_only_endpoints_that_exist(server: Server, web: httpx2.Client) -> None:
    document = web.get("/.well-known/oauth-authorization-server").json()
    assert document["issuer"] == server.origin
    assert set(document["grant_types_supported"]) == {
        "authorization_code", "refresh_token", "client_credentials", "urn:ietf:params:oauth:grant-type:device_code"
    }  # fmt: skip
    assert [name for name, value in document.items() if value in ([], None)] == []
    for name in (name for name in document if name.endswith("_endpoint")):
        assert web.post(document[name]).status_code not in (404, 500), name
    assert document["protected_resources"] == [server.base_url, f"{server.origin}/mcp"]


def test_the_catalog_is_a_link_set_of_the_api(server: Server, web: httpx2.Client) -> None:
    answer = web.get("/.well-known/api-catalog")
    assert answer.headers["content-type"] == (
        'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
    )
    (links,) = answer.json()["linkset"]
    assert links["anchor"] == server.base_url
    assert links["service-desc"][0]["href"] == f"{server.origin}/openapi.json"
    assert web.head(answer.url).headers["link"] == f'<{server.origin}/.well-known/api-catalog>; rel="api-catalog"'


@pytest.mark.parametrize("path", ["/docs", "/docs/errors"])
def test_pages_allow_no_other_origin_and_no_script_of_their_own(web: httpx2.Client, path: str) -> None:
    policy = web.get(path).headers["content-security-policy"]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == "'self'"
    assert not re.search(r"https?:|\*", policy)


def test_a_page_refers_only_to_files_that_are_served_and_may_be_kept(web: httpx2.Client) -> None:
    text = web.get("/docs").text + web.get("/docs/errors").text
    assets = set(re.findall(r'(?:src|href)="(/docs/assets/[^"]+)"', text))
    assert len(assets) == 5
    for path in assets:
        answer = web.get(path)
        assert answer.status_code == 200
        assert "max-age=" in answer.headers["cache-control"]
        assert web.get(path, headers={"if-none-match": answer.headers["etag"]}).status_code == 304


@pytest.mark.parametrize("name", ["routes.py", "..%2froutes.py", "swagger-ui%2FLICENSE", ""])
def test_no_other_file_can_be_fetched_as_an_asset(web: httpx2.Client, name: str) -> None:
    assert web.get(f"/docs/assets/{name}").status_code == 404


def test_every_error_code_is_on_the_page_and_in_the_list(web: httpx2.Client) -> None:
    listed = web.get("/docs/errors.json").json()["errors"]
    page = web.get("/docs/errors").text
    assert [code["code"] for code in listed] == re.findall(r'<article id="([a-z_0-9]+)">', page)
    assert {"rate_limited", "not_found", "method_not_allowed"} <= {code["code"] for code in listed}


def test_every_error_code_of_an_operation_is_in_the_list(web: httpx2.Client) -> None:
    responses = web.get("/openapi.json").json()["components"]["responses"].values()
    used = {code for response in responses for code in response["x-error-codes"]}
    assert used <= {code["code"] for code in web.get("/docs/errors.json").json()["errors"]}


def test_the_manual_describes_exactly_the_error_codes_that_exist(web: httpx2.Client) -> None:
    listed = web.get("/docs/errors.json").json()["errors"]
    rows = re.findall(r"^\| (\d{3}) \| `([a-z_0-9]+)` \|", (DOCS / "errors.md").read_text(), re.MULTILINE)
    assert sorted(rows) == sorted((str(code["status"]), code["code"]) for code in listed)


def test_an_error_links_to_its_entry_in_the_list(server: Server, web: httpx2.Client) -> None:
    link = web.get(server.base_url).headers["link"]
    found = re.search(r"<([^>#]+)#([a-z_]+)>; rel=\"help\"", link)
    assert found is not None
    assert f'id="{found[2]}"' in web.get(found[1]).text


def operations(web: httpx2.Client) -> Iterator[tuple[str, str, dict[str, list[str]]]]:
    """Method, address and documented error codes by status of every operation of the JSON API."""
    document = web.get("/openapi.json").json()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if "servers" in operation:
                continue  # an address outside of the JSON API
            names = {
                status: answer["$ref"].split("/")[-1]
                for status, answer in operation["responses"].items()
                if "$ref" in answer
            }
            codes = {
                status: document["components"]["responses"][name]["x-error-codes"] for status, name in names.items()
            }
            yield method.upper(), document["servers"][0]["url"] + path.replace("{", "").replace("}", ""), codes


def test_every_operation_refuses_a_missing_token_as_documented(web: httpx2.Client) -> None:
    for method, url, codes in operations(web):
        answer = web.request(method, url)
        assert answer.status_code == 401, url
        assert answer.json()["error"]["code"] in codes["401"], url


def test_every_operation_that_needs_a_scope_refuses_a_token_without_it_as_documented(
    server: Server, web: httpx2.Client, admin: httpx2.Client
) -> None:
    made = admin.post(server.base_url + "/access/tokens", json={"owner": "nobody", "scopes": []}).json()["data"]
    for method, url, codes in operations(web):
        if "/access/me" in url or "/notifications" in url:
            continue  # these need a person
        if url.endswith(("/search", "/spaces/join", "/events", "/stream", "/undo")):
            continue  # these need a person, or the scope of any of several types
        answer = web.request(method, url, headers={"authorization": f"Bearer {made['token']}"})
        if answer.status_code == 404:
            assert "403" not in codes, url  # a space needs no scope to be seen, and this one is out of reach
        elif answer.is_error:
            assert (answer.status_code, answer.json()["error"]["code"]) in [(403, code) for code in codes["403"]], url
        else:
            assert "403" not in codes, url


def test_a_method_that_a_path_does_not_take_is_answered_with_those_it_takes(
    server: Server, admin: httpx2.Client
) -> None:
    answer = admin.put(server.base_url)
    body: dict[str, Any] = answer.json()
    assert (answer.status_code, body["error"]["code"]) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"


def test_a_security_contact_is_told_until_a_day_to_come(make_server: MakeServer) -> None:
    server = make_server({"STOWBOARD_SECURITY_CONTACT": "security@stow.test"})
    answer = httpx2.get(f"{server.origin}/.well-known/security.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    told = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert told["Contact"] == "mailto:security@stow.test"
    assert told["Canonical"] == str(answer.url)
    days = (datetime.fromisoformat(told["Expires"]) - datetime.now(UTC)).days
    assert 0 < days < 365, "as RFC 9116 recommends"
    server.kill()


def test_without_a_security_contact_there_is_no_such_document(web: httpx2.Client) -> None:
    assert web.get("/.well-known/security.txt").status_code == 404
