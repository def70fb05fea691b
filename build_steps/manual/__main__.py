"""`python -m build_steps.manual [FOLDER]`: write the manual there, or where the service reads it."""

import sys
from pathlib import Path

from build_steps.manual import FOLDER, build

if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
