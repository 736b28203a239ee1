"""Make the contracts, which every store's tests subclass, importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
