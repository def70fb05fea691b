"""What Stowboard ships and nobody here wrote, or what is compiled: put into src/stowboard/built before each build.

Hatchling runs this for a wheel, an editable installation and an sdist. git ignores the folder, so pyproject.toml names
it for the wheel and the sdist. A step has a file in build_steps, a function `build(folder)`, and a folder of its own
that it fills: steps do not know each other.
"""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))

from build_steps import console, manual, swagger_ui

STEPS = {"swagger-ui": swagger_ui.build, "console": console.build, "manual": manual.build}


class Steps(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        return console.requirements()

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        for name, build in STEPS.items():
            folder = Path(self.root, "src", "stowboard", "built", name)
            folder.mkdir(parents=True, exist_ok=True)
            build(folder)
