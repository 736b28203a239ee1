"""Make the double of a Qdrant server and the entry to runs, which stand beside the stores' tests, importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "stores"))
