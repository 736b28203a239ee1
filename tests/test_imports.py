"""Imports: arrows point down, a library has one file, and nothing heavy is loaded early."""

import platform
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEAVY = ("torch", "transformers", "sentence_transformers", "mlflow", "qdrant_client")


def run(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    ).stdout.strip()


def test_the_import_rules_hold() -> None:
    lint = Path(sysconfig.get_path("scripts")) / "lint-imports"
    done = subprocess.run(
        [str(lint), "--no-logo", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_platform_is_the_standard_module() -> None:
    assert Path(platform.__file__).parent == Path(sysconfig.get_path("stdlib"))
    assert run("import platform; print(platform.python_version())") == platform.python_version()
    assert not (ROOT / "platform" / "__init__.py").exists()


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    code = f"import sys, clew.cli; print([name for name in {HEAVY} if name in sys.modules])"
    assert run(code) == "[]"


def test_the_package_says_that_it_is_typed() -> None:
    assert (ROOT / "platform" / "clew" / "py.typed").exists()
