"""README: what it shows works, in a copy of the repository made as it says."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, re.DOTALL)
COMMANDS = [
    line.removeprefix("$ ")
    for language, block in BLOCKS
    if language == "console"
    for line in block.splitlines()
    if line.startswith("$ ")
]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the repository with the README's own files added."""
    copy = tmp_path_factory.mktemp("clew")
    for part in ("conf", "experiments", "platform"):
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    for language, block in BLOCKS:
        if language in ("python", "yaml") and (named := re.match(r"# (\S+/\S+)\n", block)):
            with (copy / named[1]).open("a", encoding="utf-8") as file:
                file.write(f"\n\n{block}" if language == "python" else block)
        elif language == "json":
            (copy / "trip.jsonl").write_text(block, encoding="utf-8")
    return copy


@pytest.mark.timeout(600)
def test_every_command_runs_in_the_order_shown(copy: Path) -> None:
    scripts = Path(sys.executable).parent
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    environment = kept | {
        "PYTHONPATH": str(copy / "platform"),
        "PATH": f"{scripts}:{os.environ['PATH']}",
    }
    assert len(COMMANDS) >= 10
    for command in COMMANDS:
        words = shlex.split(command)
        if words[0] == "make":
            continue
        done = subprocess.run(
            words, cwd=copy, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("target", sorted(set(re.findall(r"`make (\w+)`", TEXT))))
def test_every_make_target_that_is_named_is_there(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


@pytest.mark.parametrize("group", ["system", "dataset", "ablation"])
def test_every_choice_is_named(group: str) -> None:
    listed = re.search(rf"^- `{group}=` (.*)$", TEXT, re.MULTILINE)
    assert listed
    there = {path.stem for path in (ROOT / "conf" / group).glob("*.yaml")}
    rows = set(re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE))  # ablations have tables
    assert (rows if group == "ablation" else set(listed[1].split(", "))) == there


def test_every_dependency_is_told_of() -> None:
    block = (ROOT / "pyproject.toml").read_text().partition("dependencies = [")[2].partition("]")[0]
    names = re.findall(r'"([\w.-]+?)(?:[<>=]|")', block)
    assert len(names) > 15
    assert [name for name in names if name not in TEXT] == []


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:platform|conf)/[\w./]+)`", TEXT))))
def test_every_file_that_is_named_is_there(path: str) -> None:
    assert (ROOT / path).exists()
