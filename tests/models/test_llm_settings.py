"""conf/llm and conf/embedder: every choice builds, opens nothing, and holds every setting."""

import inspect
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from clew.build import made
from clew.errors import ConfigError
from clew.models.embed_cache import CachedEmbedder
from clew.models.llm import Llm, Usage

CONF = Path(__file__).resolve().parents[2] / "conf"
CHOICES = sorted(path.stem for path in (CONF / "llm").glob("*.yaml"))


def settings(group: str, choice: str, **more: Any) -> dict[str, Any]:
    loaded = OmegaConf.merge(OmegaConf.load(CONF / group / f"{choice}.yaml"), more)
    price = OmegaConf.load(CONF / "price" / "unknown.yaml")
    whole = OmegaConf.create({"mine": loaded, "price": price})
    plain = OmegaConf.to_container(whole.mine, resolve=True)
    assert isinstance(plain, dict)
    return {str(key): value for key, value in plain.items()}


@pytest.mark.parametrize("choice", CHOICES)
def test_every_choice_builds_and_opens_nothing(
    choice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    llm: Llm = made(settings("llm", choice), "llm")
    assert choice in ("local", "replay") or llm.name  # which look at their file
    assert llm.spent == Usage()
    llm.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("choice", CHOICES)
def test_a_choice_holds_every_setting_of_its_class(choice: str) -> None:
    written = settings("llm", choice)
    llm = made(written, "llm")
    assert written.keys() - {"_target_"} == set(inspect.signature(type(llm)).parameters)


@pytest.mark.parametrize(
    ("choice", "setting", "value"),
    [
        ("openai", "temperature", 3),
        ("openai", "concurrency", 0),
        ("openai", "patience", 0),
        ("openai", "timeout", float("inf")),
        ("openai", "format", "xml"),
        ("openai", "model", ""),
        ("scripted", "concurrency", 0),
        ("replay", "concurrency", "many"),
    ],
)
def test_a_setting_out_of_range_is_named(choice: str, setting: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=rf"^llm\.{setting}: "):
        made(settings("llm", choice, **{setting: value}), "llm")


def test_the_embedder_builds_with_no_key(tmp_path: Path) -> None:
    written = settings("embedder", "openai", path=str(tmp_path / "vectors.db"))
    embedder = made(written, "embedder")
    assert isinstance(embedder, CachedEmbedder)
    assert (embedder.name, embedder.dimension) == ("text-embedding-3-small", 1536)
    embedder.close()
