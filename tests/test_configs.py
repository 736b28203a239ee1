"""Configuration: every choice builds, an ablation changes one thing, and mistakes are named."""

import importlib.util
import inspect
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from hydra.errors import HydraException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from clew.build import build, made
from clew.errors import ClewError, ConfigError
from clew.prepare import check
from clew.systems.ariadne import AriadneMem
from clew.systems.baselines import Ranked
from clew.systems.mandol import Mandol
from clew.systems.simplemem import SimpleMem
from clew.systems.simplemem_v3 import SimpleMemV3

ROOT = Path(__file__).resolve().parents[1]
CONF = ROOT / "conf"
STAGES = sorted(path.relative_to(CONF / "stage") for path in (CONF / "stage").rglob("*.yaml"))
SIMPLEMEM = {
    "simplemem_no_atomisation": "extract",
    "simplemem_no_novelty": "gate",
    "simplemem_no_consolidation": "consolidate",
    "simplemem_no_adaptive_depth": "depth",
}
THIRD = {"simplemem_v3_no_synthesis": "unite", "simplemem_v3_no_planning": "infer"}
ABLATIONS = {
    **SIMPLEMEM,
    **THIRD,
    "no_gating": "gate",
    "no_coarsening": "write",
    "no_bridges": "expand",
    "no_topology": "mine",
    "no_fast_path": "fast_path",
    "steiner": "expand",
    "prize": "expand",
}
MANDOLS = {
    "no_enhancement": "enhance",
    "no_abstract": "agglomerate",
    "no_routing": "route",
    "no_expansion": "expand",
    "no_denoise": "denoise",
    "no_arbitration": "arbitrate",
    "no_mmr": "pack",
    "cross_encoder": "rerank",
    "splade": "recall",
}
MODELS = {  # what a stage with a model of its own has to be given
    "cross_encoder": ("system.rerank.model.folder=somewhere",),
    "splade": ("system.recall.model.folder=somewhere",),
}


def choices(group: str) -> list[str]:
    return sorted(path.stem for path in (CONF / group).glob("*.yaml"))


@pytest.fixture(scope="module")
def entry() -> ModuleType:
    """Return experiments/run.py as a module."""
    spec = importlib.util.spec_from_file_location("run", ROOT / "experiments" / "run.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["run"] = module
    spec.loader.exec_module(module)
    return module


def resolved(*overrides: str) -> dict[str, Any]:
    with initialize_config_dir(str(CONF), version_base="1.3"):
        config = compose("config", list(overrides))
    plain = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    assert isinstance(plain, dict)
    return {str(key): value for key, value in plain.items()}


def refusal(entry: ModuleType, *overrides: str) -> str:
    """Return what a user is told of these overrides."""
    try:
        config = resolved(*overrides)
        check(config)
        build(config, Path("nowhere"))
    except (ClewError, HydraException, OmegaConfBaseException) as error:
        return str(entry.told(error, overrides))
    raise AssertionError(f"{overrides} were taken")


@pytest.mark.parametrize("system", choices("system"))
def test_every_system_builds(system: str) -> None:
    built = made(resolved(f"system={system}")["system"], "system")
    assert isinstance(built, AriadneMem | Mandol | Ranked | SimpleMem | SimpleMemV3)


@pytest.mark.parametrize(
    "group", ["embedder", "tracking", "store", "vectors", "dataset", "llm", "price"]
)
def test_every_choice_of_every_group_builds(group: str) -> None:
    for choice in choices(group):
        missing = {"jsonl": "dataset.path=talks.jsonl", "replay": "llm.path=said.jsonl"}
        path = [missing[choice]] if choice in missing else []
        made(resolved(f"{group}={choice}", *path)[group], group)


@pytest.mark.parametrize("file", STAGES, ids=str)
def test_a_stage_file_builds_and_holds_every_number_of_its_class(
    file: Path, tmp_path: Path
) -> None:
    written = OmegaConf.to_container(OmegaConf.load(CONF / "stage" / file))
    assert isinstance(written, dict)
    if "defaults" in written:  # it is made of others
        written = resolved(f"+stage/{file.parent}@whole={file.stem}")["whole"]
    if isinstance(model := written.get("model"), dict) and model["folder"] == "???":
        (tmp_path / "any.safetensors").touch()
        model["folder"] = str(tmp_path)
    stage = made(written, "stage")
    assert written.keys() - {"_target_"} == {field.name for field in fields(stage)}


@pytest.mark.parametrize("file", STAGES, ids=str)
def test_every_stage_file_is_used_or_can_be_chosen(file: Path) -> None:
    choice = f"{file.parent}: {file.stem}\n"
    groups = ("system", "ablation", "reader", "stage/*")  # a stage may be made of others
    parts = [path for group in groups for path in CONF.glob(f"{group}/*.yaml")]
    used = [path for path in parts if _picks(path, str(file.parent), file.stem)]
    assert used, f"no system, ablation or other stage uses {choice}"


def _picks(path: Path, role: str, choice: str) -> bool:
    lines = path.read_text().splitlines()
    return any(f"/stage/{role}@" in line and line.endswith(f": {choice}") for line in lines)


@pytest.mark.parametrize("system", ["ariadne", "ariadne_paper", "mandol"])
def test_the_full_ablation_changes_nothing(system: str) -> None:
    assert resolved(f"system={system}", "ablation=full") == resolved(f"system={system}")


@pytest.mark.parametrize(
    "name", [name for name in choices("ablation") if name != "full" and name[:5] != "code_"]
)  # what the released code does otherwise: test_divergences.py
def test_an_ablation_swaps_exactly_one_stage_for_its_twin(name: str) -> None:
    groups = {"simplemem": SIMPLEMEM, "simplemem_v3": THIRD, "mandol": MANDOLS}
    system = next((system for system, names in groups.items() if name in names), "ariadne")
    full = resolved(f"system={system}")
    ablated = resolved(f"system={system}", f"ablation={name}", *MODELS.get(name, ()))
    changed = {key for key in full["system"] if full["system"][key] != ablated["system"][key]}
    (role,) = changed
    assert role == (ABLATIONS | MANDOLS)[name]
    before, after = (config["system"][role]["_target_"] for config in (full, ablated))
    assert before != after
    assert before.rpartition(".")[0] == after.rpartition(".")[0]  # the twin stands beside it
    assert {k: v for k, v in full.items() if k != "system"} == {
        k: v for k, v in ablated.items() if k != "system"
    }


def test_trees_of_prizes_go_with_a_server_and_plain_ones_with_either_store(tmp_path: Path) -> None:
    server = ["store=neo4j", "store.graph.space=here"]
    for words in (["ablation=prize", *server], ["ablation=steiner", *server], ["ablation=steiner"]):
        assert isinstance(build(resolved(*words), tmp_path).system, AriadneMem)


@pytest.mark.parametrize("system", choices("system"))
def test_any_system_may_be_read_by_a_model(system: str) -> None:
    plain, read = resolved(f"system={system}"), resolved(f"system={system}", "reader=llm")
    assert read["system"]["synthesise"]["_target_"] == "clew.stages.answer_llm.LlmAnswer"
    for config in (plain, read):
        del config["system"]["synthesise"]
    assert plain == read


@pytest.mark.parametrize("name", ["ariadne", "ariadne_code", "ariadne_paper"])
def test_the_systems_with_a_model_differ_from_those_without_in_two_stages(name: str) -> None:
    rules, model = resolved(f"system={name}")["system"], resolved(f"system={name}_llm")["system"]
    assert {key for key in rules if rules[key] != model[key]} == {"extract", "synthesise"}


def test_simplemem_with_a_model_differs_in_what_models_do() -> None:
    rules, model = (resolved(f"system={name}")["system"] for name in ("simplemem", "simplemem_llm"))
    assert {k for k in rules if rules[k] != model[k]} == {"extract", "summarise", "synthesise"}


def test_the_third_simplemem_with_a_model_differs_in_what_models_do() -> None:
    names = ("simplemem_v3", "simplemem_v3_llm")
    rules, model = (resolved(f"system={name}")["system"] for name in names)
    changed = {k for k in rules if rules[k] != model[k]}
    assert changed == {"extract", "summarise", "infer", "synthesise"}


def test_mandol_with_a_model_differs_in_what_models_do() -> None:
    rules, model = (resolved(f"system={name}")["system"] for name in ("mandol", "mandol_llm"))
    assert {k for k in rules if rules[k] != model[k]} == {"extract", "agglomerate", "synthesise"}


def test_what_a_model_changes_is_in_the_manifest_and_else_nothing_is(tmp_path: Path) -> None:
    rules = build(resolved("embedder=words"), tmp_path)
    assert (rules.models, rules.prompts) == ({"embedder": "words-256"}, {})
    model = build(resolved("embedder=words", "system=ariadne_llm", "llm=scripted"), tmp_path)
    assert model.models == {"embedder": "words-256", "llm": "scripted"}
    assert list(model.prompts) == ["ariadne_answer", "ariadne_extract"]


def test_what_stands_in_for_a_model_is_in_the_manifest(tmp_path: Path) -> None:
    rules = build(resolved("embedder=words", "system=mandol"), tmp_path)
    assert rules.models == {
        "embedder": "words-256",
        "recall": "pseudo-relevance feedback, in place of a learned sparse model",
        "rerank": "cosine and BM25 mixed, in place of a cross-encoder",
    }
    (tmp_path / "any.safetensors").touch()
    words = ["system=mandol", "ablation=cross_encoder", f"system.rerank.model.folder={tmp_path}"]
    model = build(resolved("embedder=words", *words), tmp_path)
    assert model.models["rerank"].startswith(f"{tmp_path.name}@")


def test_every_judge_builds() -> None:
    for choice in choices("judge"):
        written = OmegaConf.to_container(OmegaConf.load(CONF / "judge" / f"{choice}.yaml"))
        assert made(written, "judge").profile == choice


def test_every_stage_of_a_system_file_is_a_field_of_its_class() -> None:
    for system, kind in {
        "ariadne": AriadneMem,
        "simplemem": SimpleMem,
        "simplemem_v3": SimpleMemV3,
        "bm25": Ranked,
    }.items():
        taken = {
            p.name for p in inspect.signature(kind).parameters.values() if p.default is p.empty
        }
        assert resolved(f"system={system}")["system"].keys() - {"_target_"} == taken


def test_the_generated_data_follow_the_seed() -> None:
    assert made(resolved("seed=7")["dataset"], "dataset").seed == 7


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (["system.gate.likness=0.5"], "system.gate.likness: there is no such setting; did you "),
        (["sistem=bm25"], "sistem: there is no such setting; did you mean system?"),
        (["ablaton=no_gating"], "ablaton: there is no such setting; did you mean ablation?"),
        (["swep=none"], "swep: there is no such setting; did you mean sweep?"),
        (["lancher=local"], "lancher: there is no such setting; did you mean launcher?"),
        (["reeder=llm"], "reeder: there is no such setting; did you mean reader?"),
        (["nope.x=1"], "nope: there is no such setting; there are system, dataset, store, "),
        (["nope.x=1"], ", overwrite, launcher, sweep, reader, ablation"),
        (["system=ariadn"], "system=ariadn: did you mean ariadne?"),
        (["ablation=no_gate"], "ablation=no_gate: did you mean no_gating?"),
        (
            ["stage/expnd@system.expand=steiner"],
            "stage/expnd: there is no such group; did you mean stage/expand?",
        ),
        (["zzz/y@system.expand=steiner"], "zzz/y: there is no such group; there are ablation, "),
        (["zzz/y=steiner"], "zzz/y: there is no such group; there are ablation, dataset, "),
        (
            ["stage/expand@system.expnd=steiner"],
            "stage/expand@system.expnd: nothing is chosen there; did you mean stage/expand@system.",
        ),
        (["+extra=1"], "extra: there is no such setting"),
        (["+system.extra={a: 1}"], "system: got an unexpected keyword argument 'extra'"),
        (["+system.gate.extra=1"], "system.gate: got an unexpected keyword argument 'extra'"),
        (["system.gate.likeness=1.7"], "system.gate.likeness: Input should be less than or equal"),
        (["system.gate.likeness=high"], "system.gate.likeness: Input should be a valid number"),
        (["system.gate.within=soon"], "system.gate.within: Input should be a valid timedelta"),
        (["dataset.conversations=0"], "dataset.conversations: Input should be greater than"),
        (["embedder=words", "embedder.dimension=1"], "embedder.dimension"),
        (["system=ariadne_llm"], "system.extract: asks a language model, and llm=none: set llm="),
        (["reader=llm"], "system.synthesise: asks a language model, and llm=none: set llm="),
        (["reader=llm", "llm=replay", "llm.path=nowhere"], "llm.path: nowhere is not there"),
        (["reader=llm", "llm=scripted", "system.synthesise.reply=0"], "system.synthesise.reply:"),
        (
            ["system=unheard"],
            "ariadne, ariadne_as_of, ariadne_code, ariadne_code_llm, ariadne_llm, ariadne_mad, ",
        ),
        (["ablation=no_sleep"], "ablation=no_sleep: choose one of code_all, code_batch_dedup, "),
        (["ablation=prize"], "system.expand: prize-collecting Steiner trees need Neo4j's Graph"),
        (["system=mandol", "ablation=splade"], "system.recall.model.folder: has to be set"),
        (
            ["system=mandol", "ablation=splade", "system.recall.model.folder=nowhere"],
            "nowhere holds no sentence-transformers model",
        ),
        (["system=ariadne", "ablation=no_routing"], "set system=mandol or ablation=full"),
        (["system.expand.kinds=[FAR]", "system=mandol"], "system.expand.kinds.0: Input should be"),
        (["dataset=jsonl"], "dataset.path: has to be set: add dataset.path="),
        (
            ["system=bm25", "ablation=no_gating"],
            "no stage/gate to swap; set system=ariadne or ablation=full",
        ),
        (
            ["system=simplemem_v3", "ablation=simplemem_no_novelty"],
            "no stage/gate to swap; set system=simplemem or ablation=full",
        ),
        (["system=mandol_llm"], "rules with system=mandol and reader=by_rule"),
        (["system=ariadne_code_llm"], "rules with system=ariadne_code and reader=by_rule"),
        (["system=simplemem_v3_llm"], "rules with system=simplemem_v3 and reader=by_rule"),
        (["system=hybrid", "reader=llm"], "rules with system=hybrid and reader=by_rule"),
        (["system=simplemem_as_of", "reader=llm"], "rules with system=simplemem_as_of and reader="),
        (["system.gate=near_repeat"], "system.gate: is a stage with numbers of its own"),
        (["system.gate._target_=os.system"], "system.gate: os.system is no class of Clew's"),
        (["system.gate._target_=clew.stages.gate.No"], "is no class of Clew's"),
        (["seed=many"], "seed: set it to a whole number"),
        (["seed=-1"], "seed: set it to a whole number"),
        (["overwrite=perhaps"], "overwrite: set it to true or false"),
        (["table=perhaps"], "table: set it to true or false"),
        (["report=perhaps"], "report: set it to true or false"),
        (["streaming=perhaps"], "streaming: set it to true or false"),
        (["runs=null"], "runs: set it to a path, got None"),
        (["store.graph.path=null"], "store.graph.path: set it to a path, got None"),
        (["vectors.index.folder=5"], "vectors.index.folder: set it to a path, got 5"),
        (["dataset.only=gen-1"], "dataset.only: Input should be a list: write [gen-1], got 'gen-1"),
        (["dataset.only=26"], "dataset.only: Input should be a list: write [26], got 26"),
        (["dataset.only=null"], "dataset.only: Input should be a valid tuple, got None"),
        (["budgets=[500,none]"], "budgets: set it to a list of token counts"),
        (["name=a,b"], "Ambiguous value for argument 'name=a,b'"),
        (["system.gate.likeness=${nowhere}"], "system.gate.likeness: Interpolation key"),
        (["system.gate.likeness"], "missing EQUAL"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_mistake_is_told_in_one_line_with_the_settings_path(
    entry: ModuleType, overrides: list[str], told: str
) -> None:
    text = refusal(entry, *overrides)
    assert told in text
    assert "\n" not in text and "provider=" not in text


@pytest.mark.parametrize("name", ["../elsewhere", "a/b", "", ".hidden", "a b"])
def test_a_run_cannot_be_named_out_of_its_folder(entry: ModuleType, name: str) -> None:
    if not name:
        assert entry.folder_of({"name": None, "runs": "runs"}, "ariadne-full-tiny").name
        return
    with pytest.raises(ConfigError, match="no folder's name"):
        entry.folder_of({"name": name, "runs": "runs"}, "label")


def test_a_mistake_on_the_command_line_ends_with_code_2_and_one_line(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "experiments" / "run.py"), "system.gate.likness=0.5"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        "clew: system.gate.likness: there is no such setting; did you mean likeness?\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_page_that_cannot_be_written_is_told_and_the_run_is_none_the_worse(
    entry: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry.write_page(tmp_path)
    assert f"clew: {tmp_path}/manifest.json: " in capsys.readouterr().err
