"""Namespaces: the binding of an asset tells who may mint its signed URLs."""

from typing import Any

import httpx2
import pytest

from stowboard_client import UNSET, Asset, Client, errors
from support.api.answers import data_of, error_of, message_of
from support.clients.credentials import Issue, bearer
from support.servers.stowboard import Server
from support.stored.rows import rows

INVALID = (404, "not_found")


@pytest.fixture
def asset(client: Client) -> Asset:
    return client.uploads.file("secret.txt", b"A secret.\n", visibility="protected")


def minting(web: httpx2.Client, asset: Asset, issue: Issue, namespace: str | None, **options: Any) -> int | str:
    """200, or the code of the error."""
    token = issue("ann", namespace=namespace or UNSET, **options)
    answer = web.post(f"/api/v1/media/assets/{asset.id}/url", headers=bearer(token))
    return 200 if answer.status_code == 200 else error_of(answer)[1]


@pytest.mark.parametrize(
    ("binding", "blog", "shop", "none"),
    [
        (None, 200, 200, 200),
        (["blog"], 200, "namespace_not_allowed", "namespace_not_allowed"),
        (["blog", "shop"], 200, 200, "namespace_not_allowed"),
        ([], "namespace_not_allowed", "namespace_not_allowed", "namespace_not_allowed"),
    ],
)
@pytest.mark.parametrize("visibility", ["protected", "public"])
def test_the_binding_decides_whatever_the_visibility(
    client: Client,
    web: httpx2.Client,
    issue: Issue,
    visibility: Any,
    binding: list[str] | None,
    blog: int | str,
    shop: int | str,
    none: int | str,
) -> None:
    asset = client.uploads.file("file.txt", b"text", visibility=visibility)
    bound = client.delivery.bind_namespaces(asset.id, binding)
    assert bound.allowed_namespaces == (tuple(binding) if binding is not None else None)
    assert [minting(web, asset, issue, name) for name in ("blog", "shop", None)] == [blog, shop, none]
    assert minting(web, asset, issue, None, admin=True) == 200
    assert minting(web, asset, issue, "other", admin=True) == 200


def test_a_public_asset_that_is_bound_is_still_served_to_everybody(client: Client, web: httpx2.Client) -> None:
    asset = client.uploads.file("open.txt", b"open")
    client.delivery.bind_namespaces(asset.id, [])
    assert asset.url is not None
    assert web.get(asset.url).content == b"open"
    assert client.delivery.resolve(asset.id).url == asset.url


def test_the_binding_is_shown_and_cleared_by_null(client: Client, admin: httpx2.Client, asset: Asset) -> None:
    path = f"/api/v1/media/assets/{asset.id}/namespaces"
    for binding in (["shop", "blog", "shop"], [], None):
        wanted = list(dict.fromkeys(binding)) if binding is not None else None
        data = data_of(admin.post(path, json={"allowedNamespaces": binding}))
        assert data == {"assetId": asset.id, "allowedNamespaces": wanted}
        assert client.assets.get(asset.id).allowed_namespaces == (tuple(wanted) if wanted is not None else None)


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"allowedNamespaces": "blog"},
        {"allowedNamespaces": {"blog": True}},
        {"allowedNamespaces": [1]},
        {"allowedNamespaces": [None]},
        {"allowedNamespaces": [""]},
        {"allowedNamespaces": ["Blog"]},
        {"allowedNamespaces": ["-blog"]},
        {"allowedNamespaces": ["blog\n"]},
        {"allowedNamespaces": ["a b"]},
        {"allowedNamespaces": ["a" * 64]},
        {"allowedNamespaces": [f"n{number}" for number in range(51)]},
        {"allowed_namespaces": None},
    ],
)
def test_a_binding_that_is_none_is_refused_and_the_old_one_stays(
    client: Client, admin: httpx2.Client, asset: Asset, body: dict[str, Any]
) -> None:
    client.delivery.bind_namespaces(asset.id, ["blog"])
    answer = admin.post(f"/api/v1/media/assets/{asset.id}/namespaces", json=body)
    assert error_of(answer) == (400, "validation_failed")
    assert "allowedNamespaces" in message_of(answer)
    assert client.assets.get(asset.id).allowed_namespaces == ("blog",)


def test_the_largest_binding_is_taken(client: Client, asset: Asset) -> None:
    names = ["a" * 63, "0", "a.b_c-d", *(f"n{number}" for number in range(47))]
    assert client.delivery.bind_namespaces(asset.id, names).allowed_namespaces == tuple(names)


def test_only_an_admin_binds(web: httpx2.Client, issue: Issue, asset: Asset) -> None:
    path, body = f"/api/v1/media/assets/{asset.id}/namespaces", {"allowedNamespaces": None}
    assert error_of(web.post(path, json=body, headers=bearer(issue("ann")))) == (403, "admin_required")
    assert web.post(path, json=body, headers=bearer(issue("ann", admin=True))).status_code == 200


@pytest.mark.parametrize("binding", [["blog"], []])
def test_while_there_is_a_binding_only_an_admin_changes_the_visibility(
    client: Client, web: httpx2.Client, issue: Issue, asset: Asset, binding: list[str]
) -> None:
    client.delivery.bind_namespaces(asset.id, binding)
    writer = bearer(issue("ann", namespace="blog"))
    address = f"/api/v1/media/assets/{asset.id}"
    refused = web.patch(address, json={"visibility": "public", "title": "x"}, headers=writer)
    assert error_of(refused) == (403, "admin_required")
    assert "bound to namespaces" in message_of(refused)
    unchanged = client.assets.get(asset.id)
    assert (unchanged.visibility, unchanged.title) == ("protected", None)
    same = web.patch(address, json={"visibility": "protected", "title": "x"}, headers=writer)
    assert data_of(same)["title"] == "x"
    assert client.assets.update(asset.id, visibility="public").visibility == "public"
    client.delivery.bind_namespaces(asset.id, None)
    assert data_of(web.patch(address, json={"visibility": "protected"}, headers=writer))["visibility"] == "protected"


def test_an_asset_that_does_not_exist_cannot_be_bound(client: Client) -> None:
    with pytest.raises(errors.NotFound):
        client.delivery.bind_namespaces("ast_01kbr2x4q8e9w6y3t7n5m1c0vz", None)


@pytest.mark.parametrize(
    ("before", "after", "stops"),
    [
        (None, ["blog"], True),
        (None, [], True),
        (["blog", "shop"], ["blog"], True),
        (["blog"], ["shop"], True),
        (["blog"], [], True),
        (["blog"], ["blog", "shop"], False),
        (["blog", "shop"], ["shop", "blog"], False),
        (["blog"], None, False),
        ([], None, False),
        ([], ["blog"], False),
        (["blog"], ["blog"], False),
    ],
)
def test_a_narrower_binding_stops_the_urls_that_are_out(
    client: Client, web: httpx2.Client, asset: Asset, before: Any, after: Any, stops: bool
) -> None:
    client.delivery.bind_namespaces(asset.id, before)
    url = client.delivery.url(asset.id).url
    assert web.get(url).status_code == 200
    client.delivery.bind_namespaces(asset.id, after)
    answer = web.get(url)
    assert (error_of(answer) if answer.is_error else None) == (INVALID if stops else None)
    assert web.get(client.delivery.url(asset.id).url).status_code == 200


def test_a_changed_binding_is_an_event_and_an_equal_one_is_none(client: Client, server: Server, asset: Asset) -> None:
    def updates() -> int:
        found = rows(
            server, f"SELECT count(*) FROM event WHERE subject = '{asset.id}' AND type = 'media.asset.updated'"
        )
        return int(found[0][0])

    client.delivery.bind_namespaces(asset.id, ["blog"])
    client.delivery.bind_namespaces(asset.id, ["blog"])
    assert updates() == 1
