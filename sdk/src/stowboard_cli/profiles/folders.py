"""Where this machine keeps what `stow` remembers."""

import os
import sys
from pathlib import Path


def config_folder() -> Path:
    """The platform's own, or `$STOW_FOLDER`."""
    given = os.environ.get("STOW_FOLDER")
    if given:
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", Path.home())) / "stowboard"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "stowboard"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "stowboard"
