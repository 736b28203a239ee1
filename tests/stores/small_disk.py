"""A disk of a few megabytes, in a mount namespace of its own that ends with its process."""

import functools
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
APART = ("unshare", "--user", "--map-root-user", "--mount")
MOUNT = 'mount -t tmpfs -o size="$1" none "$2" && '


@functools.cache
def possible() -> bool:
    """Tell whether this machine lets its user mount a small disk."""
    try:
        done = subprocess.run(
            [*APART, "sh", "-c", f"{MOUNT}true", "sh", "1m", "/mnt"], capture_output=True
        )
    except OSError:
        return False
    return done.returncode == 0


def on_a_disk_of(
    size: str, place: Path, shell: str, *words: str
) -> subprocess.CompletedProcess[str]:
    """Run a line of shell where `$2` is a fresh disk; `$3` is python, `$4`... are the words."""
    if not possible():
        pytest.skip("no user namespaces here: a small disk cannot be mounted")
    place.mkdir(exist_ok=True)
    command = [*APART, "sh", "-c", MOUNT + shell, "sh", size, str(place), sys.executable, *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
