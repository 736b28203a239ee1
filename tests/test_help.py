"""--help of the scripts: first what it does, with examples, then the rest."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hydra import compose, initialize_config_dir

ROOT = Path(__file__).resolve().parents[1]
FILES = {"run": "config", "judge": "judging", "latency": "latency"}  # of conf/, for Hydra's help


def script(name: str, patch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "experiments" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    patch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


def test_every_script_is_tested_here() -> None:
    there = {path.stem for path in (ROOT / "experiments").glob("*.py")}
    assert there == {*FILES, "tables", "compare", "bench", "paging"}


@pytest.mark.parametrize("name", list(FILES))
def test_help_by_hydra_begins_as_the_script_itself(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3", job_name=name):
        words = ["run=l1"] if name == "judge" else []
        found = compose(FILES[name], words, return_hydra_config=True)
    text = str(found.hydra.help.header)
    about = str(script(name, monkeypatch).__doc__)
    assert text.splitlines()[0] == about.splitlines()[0]
    examples = [line for line in text.splitlines() if line.startswith("    ")]
    assert len(examples) > 1
    assert all(f"{line}\n" in about for line in examples)


@pytest.mark.parametrize("name", ["compare", "bench", "paging"])
def test_help_of_options_tells_what_the_script_does_with_examples(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = script(name, monkeypatch)
    with pytest.raises(SystemExit) as ended:
        module.main(["--help"])
    assert ended.value.code == 0
    assert str(module.__doc__) in capsys.readouterr().out
    assert f"\n    python experiments/{name}.py" in str(module.__doc__)


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_of_tables_names_the_tables_and_figures(
    word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = script("tables", monkeypatch)
    assert module.main([word]) == 0
    out, err = capsys.readouterr()
    assert not err
    assert out.startswith(str(module.__doc__))
    assert "\nTables: ariadne_1, " in out and "\nFigures: ariadne_1, " in out
