"""Learned: encoders load from a folder; models of random weights show the way they are asked."""

from pathlib import Path

import pytest

from clew.errors import ConfigError
from clew.models.learned import CrossEncoderModel, SparseEncoderModel
from clew.models.rerank import PairModel
from clew.models.sparse import SparseModel

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] heron pond bird soup ##s skiff".split()


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the smallest BERT vocabulary there may be."""
    from transformers import BertTokenizerFast

    folder = tmp_path_factory.mktemp("tokens")
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def small(**more: object) -> object:
    from transformers import BertConfig

    return BertConfig(
        vocab_size=len(WORDS),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=8,
        **more,
    )


def with_tokens(folder: Path, tokens: Path) -> Path:
    for file in tokens.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


@pytest.mark.model
def test_a_cross_encoder_gives_a_score_in_0_to_1_for_each_text(
    tmp_path: Path, tokens: Path
) -> None:
    import torch
    from transformers import BertForSequenceClassification

    torch.manual_seed(1)
    BertForSequenceClassification(small(num_labels=1)).save_pretrained(tmp_path)
    model = CrossEncoderModel(str(with_tokens(tmp_path, tokens)))
    assert isinstance(model, PairModel)
    scores = model("heron pond", ["heron pond", "soup"])
    assert len(scores) == 2
    assert all(0 < score < 1 for score in scores)
    assert scores[0] != scores[1]
    assert model("heron pond", ["soup"]) == pytest.approx(scores[1:], abs=1e-5)
    assert model.name.startswith(f"{tmp_path.name}@")


@pytest.mark.model
def test_a_sparse_encoder_gives_whole_words_with_weights(tmp_path: Path, tokens: Path) -> None:
    import torch
    from transformers import BertForMaskedLM

    torch.manual_seed(1)
    BertForMaskedLM(small()).save_pretrained(tmp_path)
    model = SparseEncoderModel(str(with_tokens(tmp_path, tokens)))
    assert isinstance(model, SparseModel)
    said = model("heron pond")
    assert said
    assert set(said) <= {"heron", "pond", "bird", "soup", "skiff"}
    assert all(weight > 0 for weight in said.values())


def test_a_folder_without_a_model_is_refused_with_the_setting(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no \*.safetensors.*system.rerank.model.folder"):
        CrossEncoderModel(str(tmp_path))
    with pytest.raises(ConfigError, match=r"system.recall.model.folder"):
        SparseEncoderModel(str(tmp_path / "nowhere"))
