"""Make `tiny_run`, which some tests also start as a process, importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
