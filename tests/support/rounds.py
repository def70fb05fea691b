"""How often a test repeats itself: less in every run, more in `make soak`."""

import os

IN_SOAK = os.environ.get("EXAMPLES") == "other"


def rounds(usual: int, in_soak: int) -> int:
    return in_soak if IN_SOAK else usual
