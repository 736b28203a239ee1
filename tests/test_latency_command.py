"""experiments/latency.py: what it prints, the files it leaves, and what it refuses."""

import csv
import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from clew.report.published import published

ROOT = Path(__file__).resolve().parents[1]
SMALL = ("dataset=tiny", "dataset.sessions=2", "embedder=words", "tracking=none")
FAST = ("rate=500", "requests=12")


SCRIPT = ROOT / "experiments" / "latency.py"


def words_of(runs: Path, *words: str) -> list[str]:
    return [str(SCRIPT), f"runs={runs}", *SMALL, *FAST, *words]


def script(name: str) -> ModuleType:
    """Load a script of experiments/ as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "experiments" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, name, module)  # where dataclasses look up their annotations
        spec.loader.exec_module(module)
    return module


def main(runs: Path, *words: str) -> int:
    """Measure as the command line does, without the seconds that a process takes to start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("HYDRA_FULL_ERROR", "1")  # so that it is as before afterwards
        patch.setattr(sys, "argv", words_of(runs, *words))
        return int(script("latency").main())


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small measurement, to be read, not written."""
    runs = tmp_path_factory.mktemp("runs")
    command = [sys.executable, *words_of(runs, "system=bm25")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    assert "bm25, sqlite + edge, 500 a second: requests" in done.stdout
    return runs / "latency-bm25-tiny-sqlite-edge-500"


def test_it_says_what_was_measured_and_how(measured: Path) -> None:
    told = json.loads((measured / "latency.json").read_text())
    assert (told["system"], told["status"]) == ("bm25", "done")
    assert told["stores"] == {"store": "sqlite", "vectors": "edge"}
    assert told["latency"]["search"]["latency"]["n"] == 12
    assert told["latency"]["stored"] > 0
    assert told["command"].startswith("python experiments/latency.py")


def test_the_papers_cells_stand_above_ours_and_never_among_them(measured: Path) -> None:
    with (measured / "mandol_5.csv").open() as file:
        rows = list(csv.DictReader(file))
    printed = sorted(cell.value for cell in published("mandol_5"))
    assert sorted(float(row["mean"]) for row in rows if row["source"] == "published") == printed
    ours = {row["system"] for row in rows if row["source"] == "ours"}
    assert ours == {"bm25, sqlite + edge, 500 a second"}
    text = (measured / "mandol_5.md").read_text()
    assert "NOT COMPARABLE" in text and "H800" in text and "one, in order of arrival" in text
    assert "95 % intervals" not in text


def test_the_tables_command_puts_all_measurements_below_the_papers_cells(
    measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        shutil.copytree(measured, tmp_path / name)
    told = json.loads((tmp_path / "one" / "latency.json").read_text())
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "latency.json").write_text(json.dumps(told | {"status": "running"}))
    words = [f"runs={tmp_path}", "table=mandol_5"]
    assert script("tables").main([*words, "dataset=tiny"]) == 0
    with (tmp_path / "tables" / "mandol_5.csv").open() as file:
        ours = {row["system"] for row in csv.DictReader(file) if row["source"] == "ours"}
    assert ours == {f"bm25, sqlite + edge, 500 a second ({name})" for name in ("one", "two")}
    capsys.readouterr()
    assert script("tables").main(words) == 2
    assert "python experiments/latency.py dataset=locomo" in capsys.readouterr().err
    (tmp_path / "half" / "latency.json").write_text("{}")
    assert script("tables").main([*words, "dataset=tiny"]) == 2
    assert "half/latency.json: is no measurement" in capsys.readouterr().err


def test_figures_and_tables_hold_the_same_numbers(measured: Path) -> None:
    told = json.loads((measured / "latency.json").read_text())["latency"]
    with (measured / "latency.csv").open() as file:
        rows = {(row["request"], row["embedding"]): row for row in csv.DictReader(file)}
    assert float(rows["search", "True"]["p99"]) == told["search"]["latency"]["p99"]
    assert float(rows["add", "False"]["mean"]) == told["add"]["latency_noembed"]["mean"]
    texts = "\n".join(ElementTree.parse(measured / "figure_latency.svg").getroot().itertext())
    for word in ("resident memory, MB", "load", "Search, without embedding", "P99"):
        assert word in texts
    assert (measured / "figure_latency.png").stat().st_size > 5_000
    with (measured / "rss.csv").open() as file:
        assert len(list(csv.DictReader(file))) >= 8


def test_a_second_measurement_takes_the_place_of_the_first_only_when_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(tmp_path, "system=bm25", "name=one") == 0
    assert main(tmp_path, "system=dense", "name=one") == 2
    assert "set name= to another, or overwrite=true" in capsys.readouterr().err
    assert main(tmp_path, "system=dense", "name=one", "overwrite=true") == 0
    assert json.loads((tmp_path / "one" / "latency.json").read_text())["system"] == "dense"


def test_overwriting_is_for_measurements_and_runs_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "mum.txt").write_text("Dear mum")
    assert main(tmp_path, "name=letters", "overwrite=true") == 2
    assert "holds no run" in capsys.readouterr().err
    assert (tmp_path / "letters" / "mum.txt").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("rate=0",), "rate: Input should be greater than 0, got 0"),
        (("rate=often",), "rate: Input should be a valid number"),
        (("requests=0",), "requests: Input should be greater than or equal to 1, got 0"),
        (("system=oracle",), "system=oracle: choose one of"),
        (("rat=5",), "rat: there is no such setting; did you mean rate?"),
        (("system=bm25", "-m"), "-m: what one measures would be in the memory"),
        (("dataset.only=[gen-9]",), "dataset.only can name"),
    ],
)
def test_what_is_wrong_is_named_in_one_line(
    words: tuple[str, ...], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(tmp_path, *words) == 2
    said = capsys.readouterr().err
    assert told in said and len(said.splitlines()) == 1
    assert not any(path.is_dir() for path in tmp_path.iterdir())
