"""Make importable what stands beside the stores' tests: a double of Qdrant, and how to run."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "stores"))
