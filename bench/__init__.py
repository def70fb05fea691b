"""Figures that anyone can repeat: Stowboard beside what people would pick instead, in one run on one machine."""

import sys
from pathlib import Path

# Real servers are started here as the tests start them.
sys.path.append(str(Path(__file__).parent.parent / "tests"))
