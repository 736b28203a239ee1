"""Make the small system of the evaluation's tests importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "evaluate"))
