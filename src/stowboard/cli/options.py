"""Options that many commands take, and the settings that come of them."""

from pathlib import Path
from typing import Annotated, Any

import typer

from stowboard.settings import Settings, load_settings

DataDir = Annotated[Path | None, typer.Option(help="Folder of the embedded database and of files. Default: ./data.")]
Config = Annotated[Path | None, typer.Option(help="A TOML file of settings. Default: $STOWBOARD_CONFIG, if set.")]


def read_settings(config: Path | None, **options: Any) -> Settings:
    return load_settings(options, file=config)
