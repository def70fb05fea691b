"""Addresses outside of /api/v1: the OpenAPI document has all of them, and the server has those that it names."""

import re

import httpx2
import pytest

from stowboard.addresses import ADDRESSES
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak

PARTS = ("/uploads/", "/cdn/", "/stream/", "/oauth/", "/session", "/calendar/", "/mcp")


@pytest.mark.parametrize("part", PARTS)
def test_the_document_has_every_part_of_the_platform(server: Server, part: str) -> None:
    document = httpx2.get(f"{server.origin}/openapi.json").json()
    found = [operations for path, operations in document["paths"].items() if path.startswith(part)]
    assert found
    servers = [operation["servers"] for operations in found for operation in operations.values()]
    assert all(each[0]["url"] == server.origin for each in servers)


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda address: f"{address.method} {address.path}")
def test_the_server_has_what_the_document_names(server: Server, address: object) -> None:
    path, method = address.path, address.method  # type: ignore[attr-defined]
    if path.startswith("/uploads/tus"):
        return  # its OPTIONS speaks TUS
    answer = httpx2.options(server.origin + re.sub(r"\{\w+\}", "x", path))
    assert answer.status_code == 204
    assert method in answer.headers["allow"].split(", ")


def test_an_operation_that_needs_two_scopes_names_both(server: Server) -> None:
    document = httpx2.get(f"{server.origin}/openapi.json").json()
    security = document["paths"]["/media/assets/{asset_id}/usage"]["get"]["security"]
    assert {"oauth2": ["media:read", "tasks:read"]} in security
