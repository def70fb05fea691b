"""`stowboard openapi`: the document, without a server."""

import typer

from stowboard.catalogue import CATALOGUE
from stowboard.settings import Settings


def print_document(settings: Settings, yaml: bool) -> None:
    from stowboard.api.documents.openapi import document

    content = document(CATALOGUE, settings.public_url or f"http://{settings.host}:{settings.port}")
    typer.echo(_as_yaml(content) if yaml else _as_json(content))


def _as_json(content: object) -> str:
    import msgspec

    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode()


def _as_yaml(content: object) -> str:
    import msgspec

    from stowboard.api.documents.openapi import as_yaml

    return as_yaml(msgspec.json.encode(content)).decode()
