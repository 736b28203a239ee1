"""SentenceModel: the packaged MiniLM, from its folder and without a network."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from clew.errors import ConfigError
from clew.models import sentence
from clew.models.sentence import SentenceModel


@pytest.fixture(scope="module")
def model() -> SentenceModel:
    return SentenceModel()


@pytest.mark.model
def test_likeness_is_what_the_model_card_tells(model: SentenceModel) -> None:
    dogs, cats, sky = model(
        ["A man is eating food.", "A man is eating a piece of bread.", "The sky is blue."]
    )
    assert dogs @ cats > 0.7 > 0.2 > dogs @ sky
    assert np.linalg.norm([dogs, cats, sky], axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert dogs.dtype == np.float32 and model.dimension == 384 == len(dogs)


@pytest.mark.model
def test_the_order_and_company_of_texts_do_not_matter(model: SentenceModel) -> None:
    texts = ["a much longer sentence about a dog that barks at night", "short", "", "修表店 🧳"]
    rows = model(texts)
    again = model(list(reversed(texts)))[::-1]
    assert rows == pytest.approx(again, abs=1e-5)
    assert model(["short"])[0] == pytest.approx(rows[1], abs=1e-5)
    assert model([]).shape == (0, 384)


@pytest.mark.model
@pytest.mark.parametrize("threads", [2, 1])
def test_torch_keeps_to_the_threads_it_is_given(threads: int) -> None:
    import torch

    SentenceModel(threads=threads)(["a dog"])
    assert torch.get_num_threads() == threads
    torch.set_num_threads(1)


@pytest.mark.model
def test_a_text_of_any_length_is_embedded(model: SentenceModel) -> None:
    assert np.isfinite(model(["word " * 20_000])).all()


def test_the_name_holds_a_hash_of_the_weights(tmp_path: Path) -> None:
    ours = SentenceModel().name
    assert ours.startswith("all-MiniLM-L6-v2@")
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"other weights")
    other = SentenceModel(str(folder)).name
    assert other.startswith("mine@") and other.split("@")[1] != ours.split("@")[1]


def test_a_folder_without_a_model_is_refused_with_the_setting(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"embedder\.folder"):
        SentenceModel(str(tmp_path))
    with pytest.raises(ConfigError, match=r"embedder\.folder"):
        SentenceModel(str(tmp_path / "nowhere"))


@pytest.mark.parametrize("name", ["batch", "threads"])
def test_a_number_below_one_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=rf"embedder\.{name}"):
        SentenceModel(**{name: 0})


def test_without_the_packaged_model_the_command_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence, "PACKAGE", "no_such_package")
    with pytest.raises(ConfigError, match="pip install"):
        SentenceModel()


@pytest.mark.model
def test_it_loads_quietly_with_no_network_and_no_wish_for_one(tmp_path: Path) -> None:
    folder = tmp_path / "copied"
    shutil.copytree(Path(SentenceModel()._folder), folder)
    code = """
import socket, sys
def refuse(*_, **__):
    raise SystemExit("the network was asked for")
socket.socket.connect = socket.getaddrinfo = refuse
from clew.models.sentence import SentenceModel
assert "torch" not in sys.modules
print(float(SentenceModel(sys.argv[1])(["a dog"])[0] @ SentenceModel()(["a dog"])[0]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        capture_output=True,
        text=True,
        timeout=90,
        check=True,
    )
    assert float(done.stdout) == pytest.approx(1, abs=1e-5)
    assert done.stderr == ""
