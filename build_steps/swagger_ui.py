"""Swagger UI, for the page at /docs.

It comes out of `drf-yasg`, a build requirement of ours: of the packages on PyPI that carry a present Swagger UI it is
the one that carries all notices too. Nothing of that package is imported or shipped but these files.
"""

import shutil
from importlib.metadata import distribution
from pathlib import Path

PACKAGE = "drf-yasg"
SOURCE = "drf_yasg/static/drf-yasg/swagger-ui-dist"
FILES = [
    "LICENSE",
    "NOTICE",
    "swagger-ui-bundle.js",
    "swagger-ui-bundle.js.LICENSE.txt",
    "swagger-ui.css",
]


def build(folder: Path) -> None:
    source = Path(str(distribution(PACKAGE).locate_file(SOURCE)))
    for name in FILES:
        shutil.copyfile(source / name, folder / name)
