"""Manifest: what a run was, without its secrets, and what must not be mixed with it."""

import dataclasses
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tiny_run import ALL, settings

from clew.errors import RunError
from clew.evaluate import manifest
from clew.evaluate.manifest import (
    Manifest,
    commit_of,
    config_hash,
    masked,
    masked_command,
    read_manifest,
    write_json,
)

CONFIG = {"system": {"gate": {"likeness": 0.6}}, "name": "l1", "tracking": {"uri": "x"}, "seed": 0}


def hashed(**changes: Any) -> str:
    return config_hash(settings(config=CONFIG | changes), "data")


def test_it_says_what_is_needed_to_run_again(tmp_path: Path) -> None:
    Manifest(tmp_path, settings(config=CONFIG, seeds={"data": 7}, command="run.py x=1"), ALL)
    content = json.loads((tmp_path / "manifest.json").read_text())
    assert content["config"] == CONFIG
    assert content["dataset"] == {"name": "talks", "version": "1", "sha256": "0" * 64}
    assert content["models"] == {"embedder": "words-64"}
    assert content["seeds"] == {"data": 7}
    assert content["command"] == "run.py x=1"
    assert content["tokenizer"] == "cl100k_base"
    assert content["packages"]["python"].startswith("3.")
    assert content["status"] == "running"
    assert content["end"] is None
    assert content["prompts"] == {}
    assert {"commit", "dirty", "host", "start"} <= content.keys()


def test_an_end_is_written_with_its_status(tmp_path: Path) -> None:
    Manifest(tmp_path, settings(), ALL).finish("failed", "RuntimeError: boom")
    content = read_manifest(tmp_path)
    assert (content["status"], content["error"]) == ("failed", "RuntimeError: boom")
    assert content["end"] >= content["start"]


def test_a_second_start_keeps_the_first_start(tmp_path: Path) -> None:
    Manifest(tmp_path, settings(), ALL).finish("stopped")
    first = read_manifest(tmp_path)
    Manifest(tmp_path, settings(), ALL)
    second = read_manifest(tmp_path)
    assert second["start"] == first["start"]
    assert (first["starts"], second["starts"]) == (1, 2)
    assert second["status"] == "running"


def test_it_keeps_by_which_code_each_part_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def begin(commit: str, dirty: bool, code: str) -> list[tuple[str, bool, str]]:
        monkeypatch.setattr(manifest, "commit_of", lambda file: (commit, dirty))
        monkeypatch.setattr(manifest, "_code", lambda file: code)
        Manifest(tmp_path, settings(), ALL).finish("stopped")
        made = read_manifest(tmp_path)["commits"]
        return [(one["commit"], one["dirty"], one["code"]) for one in made]

    first = ("a" * 40, False, "1" * 64)
    assert begin(*first) == [first]
    assert begin(*first) == [first]
    assert caplog.messages == []
    second, third = ("b" * 40, False, "2" * 64), ("b" * 40, True, "3" * 64)
    assert begin(*second) == [first, second]
    [told] = caplog.messages
    assert "made with commit aaaaaaaaaa and goes on with bbbbbbbbbb:" in told
    assert begin(*third) == [first, second, third]
    assert "bbbbbbbbbb and uncommitted changes (code 33333333)" in caplog.messages[1]
    assert begin(*first) == [first, second, third, first]
    assert read_manifest(tmp_path)["commit"] == "a" * 40


def test_what_is_not_committed_is_told_by_the_hash_of_the_code(tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    file = tmp_path / "part" / "one.py"
    file.write_text("1")
    before = manifest._code(file)
    (tmp_path / "notes.txt").write_text("no code")
    assert manifest._code(file) == before
    file.write_text("2")
    assert manifest._code(file) != before


def test_the_hash_is_of_what_decides_results() -> None:
    assert hashed() == hashed()
    assert hashed(name="l2", tracking=None, runs="elsewhere", overwrite=True) == hashed()
    assert hashed(dataset={"path": "here"}) == hashed(dataset={"path": "there"})
    assert hashed(seed=1) != hashed()
    assert hashed(system={"gate": {"likeness": 0.7}}) != hashed()
    assert config_hash(settings(config=CONFIG), "other data") != hashed()
    assert config_hash(settings(config=CONFIG, prompts={"extract": "a"}), "data") != hashed()
    other = dataclasses.replace(settings(config=CONFIG), models={"embedder": "words-128"})
    assert config_hash(other, "data") != hashed()


def test_a_folder_of_other_settings_is_refused_and_the_change_is_named(tmp_path: Path) -> None:
    Manifest(tmp_path, settings(config={"seed": 0, "system": {"k": 5}}), ALL)
    with pytest.raises(RunError, match=r"system\.k was 5, is 6.*name="):
        Manifest(tmp_path, settings(config={"seed": 0, "system": {"k": 6}}), ALL)


def test_a_folder_of_other_data_is_refused(tmp_path: Path) -> None:
    Manifest(tmp_path, settings(), ALL)
    with pytest.raises(RunError, match="other data"):
        Manifest(tmp_path, settings(), dataclasses.replace(ALL, sha256="f" * 64))


@pytest.mark.parametrize("torn", ['{"config_hash": "ab', "", "[1", "{}", '{"config": {}}', "[1]"])
def test_a_torn_manifest_beside_answers_is_an_error(tmp_path: Path, torn: str) -> None:
    (tmp_path / "manifest.json").write_text(torn)
    (tmp_path / "journal.jsonl").write_text("{}\n")
    with pytest.raises(RunError, match=r"manifest\.json:? (is m|is no|conf).*delete"):
        Manifest(tmp_path, settings(), ALL)


def test_answers_without_a_manifest_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_text("{}\n")
    with pytest.raises(RunError, match="missing"):
        Manifest(tmp_path, settings(), ALL)


def test_a_torn_manifest_without_answers_is_written_anew(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{")
    Manifest(tmp_path, settings(), ALL)
    assert read_manifest(tmp_path)["status"] == "running"


def test_a_torn_manifest_is_an_error_for_who_only_reads(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(RunError, match="damaged"):
        read_manifest(tmp_path)


def test_secrets_are_never_written(tmp_path: Path) -> None:
    config = {
        "llm": {"api_key": "s3cr3t", "max_tokens": 32, "tokens": "many"},
        "password": "s3cr3t",
        "graph": {"uri": "bolt://neo:s3cr3t@host:7687"},
        "headers": [{"auth-token": "s3cr3t"}],
        "keywords": "kept",
    }
    command = "run.py llm.api_key=s3cr3t +tracking.secret='s3cr3t' uri=http://u:s3cr3t@h k=5"
    Manifest(tmp_path, settings(config=config, command=command), ALL)
    text = (tmp_path / "manifest.json").read_text()
    assert "s3cr3t" not in text
    assert masked(config)["llm"]["max_tokens"] == 32
    assert masked(config)["keywords"] == "kept"
    assert masked_command(command).endswith("k=5")


def test_how_many_tokens_there_may_be_is_no_secret() -> None:
    command = "python run.py llm.budget.tokens=9000 system.pack.tokens=500 a.token=12 b.tokens=x1"
    assert masked_command(command) == (
        "python run.py llm.budget.tokens=9000 system.pack.tokens=500 a.token=*** b.tokens=***"
    )


def test_an_error_names_no_login(tmp_path: Path) -> None:
    Manifest(tmp_path, settings(), ALL).finish("failed", "no answer from http://me:s3cr3t@host/x")
    assert read_manifest(tmp_path)["error"] == "no answer from http://***@host/x"


def test_a_secret_that_is_not_set_stays_visible_as_such() -> None:
    assert masked({"api_key": None, "token": ""}) == {"api_key": None, "token": ""}


def test_values_of_other_types_become_text() -> None:
    assert masked({"root": Path("a/b"), "on": (True, 1.5)}) == {"root": "a/b", "on": [True, 1.5]}


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    write_json(tmp_path / "x.json", {"b": 1, "a": "é"})
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "x.json", {"a": float("nan")})
    assert json.loads((tmp_path / "x.json").read_text()) == {"b": 1, "a": "é"}
    assert [p.name for p in tmp_path.iterdir()] == ["x.json"]


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="cannot be written"):
        write_json(tmp_path / "nowhere" / "x.json", {})


def test_code_outside_any_repository_has_no_commit(tmp_path: Path) -> None:
    (tmp_path / "file.py").write_text("")
    assert commit_of(tmp_path / "file.py") == ("unknown", None)


def test_code_under_version_control_is_named_by_its_commit(tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    file = tmp_path / "file.py"
    file.write_text("1")
    for words in (["init", "-q"], ["add", "file.py"], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *words], check=True)
    commit, dirty = commit_of(file)
    assert (len(commit), dirty) == (40, False)
    file.write_text("2")
    assert commit_of(file) == (commit, True)
