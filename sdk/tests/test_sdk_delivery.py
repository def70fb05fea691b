"""Requests and answers of the operations on addresses of assets."""

from typing import Any

from both_faces import Face, settled
from scripted_server import ScriptedServer, data

from stowboard_client import NamespaceBinding, Resolution, SignedUrl, TransformClass

RESOLUTION: dict[str, Any] = {
    "url": "https://files.example.com/cdn/ast_1/v1/small/a.jpg",
    "assetId": "ast_1",
    "version": 1,
    "transformClass": "small",
    "mimeType": "image/jpeg",
    "width": 320,
    "height": None,
}
SIGNED: dict[str, Any] = {
    "url": "https://files.example.com/cdn/ast_1/v1/original/a.jpg?exp=1&kid=k0&sig=x",
    "expiresAt": 1_700_000_000_000,
    "assetId": "ast_1",
    "version": 1,
}


async def test_a_public_asset_is_resolved(face: Face, server: ScriptedServer) -> None:
    server.will(data(RESOLUTION), data(RESOLUTION | {"transformClass": "original"}))
    delivery = face.client().delivery
    found = await settled(delivery.resolve("ast_1", transform_class="small"))
    assert isinstance(found, Resolution)
    assert (found.url, found.width, found.height) == (RESOLUTION["url"], 320, None)
    await settled(delivery.resolve("ast_1"))
    assert [(asked.method, asked.path) for asked in server.seen] == [("GET", "/api/v1/media/assets/ast_1/resolve")] * 2
    assert [asked.query for asked in server.seen] == [{"transformClass": ["small"]}, {}]


async def test_a_signed_url_is_minted_with_what_was_asked_for_alone(face: Face, server: ScriptedServer) -> None:
    server.will(data(SIGNED), data(SIGNED))
    delivery = face.client().delivery
    signed = await settled(delivery.url("ast_1", expires_in=60, disposition="attachment"))
    assert isinstance(signed, SignedUrl)
    assert signed.expires_at == 1_700_000_000_000
    await settled(delivery.url("ast_1"))
    assert [(asked.method, asked.path) for asked in server.seen] == [("POST", "/api/v1/media/assets/ast_1/url")] * 2
    assert [asked.json for asked in server.seen] == [{"expiresIn": 60, "disposition": "attachment"}, {}]


async def test_a_binding_is_sent_whole_and_null_is_sent_too(face: Face, server: ScriptedServer) -> None:
    bindings: list[list[str] | None] = [["blog"], [], None]
    server.will(*(data({"assetId": "ast_1", "allowedNamespaces": binding}) for binding in bindings))
    delivery = face.client().delivery
    for binding in bindings:
        bound = await settled(delivery.bind_namespaces("ast_1", binding))
        assert isinstance(bound, NamespaceBinding)
        assert bound.allowed_namespaces == (None if binding is None else tuple(binding))
    assert [asked.json for asked in server.seen] == [{"allowedNamespaces": binding} for binding in bindings]


async def test_transform_classes_are_listed(face: Face, server: ScriptedServer) -> None:
    server.will(data([{"name": "small", "width": 320, "height": None, "fit": "inside"}]))
    listed = await settled(face.client().delivery.transform_classes())
    assert listed == (TransformClass(name="small", width=320, height=None, fit="inside"),)
