"""Print the OpenAPI 3.1 document. It needs no server and no database."""

from argparse import ArgumentParser, Namespace

import msgspec

from stowboard.api.documents.openapi import as_yaml, document
from stowboard.catalogue import CATALOGUE
from stowboard.cli.serving.prepare import origin_of
from stowboard.settings import Settings


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--yaml", action="store_true", help="in YAML instead of JSON")


def run(settings: Settings, given: Namespace) -> None:
    content = msgspec.json.encode(document(CATALOGUE, origin_of(settings)))
    print((as_yaml(content) if given.yaml else msgspec.json.format(content, indent=2)).decode())
