"""The folder in which `stow` keeps sign-ins."""

import os
import sys
from pathlib import Path


def config_folder() -> Path:
    """`$STOW_FOLDER`, else the configuration folder of the system."""
    given = os.environ.get("STOW_FOLDER")
    if given:
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", Path.home())) / "stowboard"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "stowboard"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "stowboard"
