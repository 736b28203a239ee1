"""The tables of Mandol: what its paper reports on LoCoMo, and what each part is worth here.

The paper reports accuracy by an LLM judge and nothing else of answers; ours stands beside it
with F1 and evidence recall, which ask no judge. It has no table of its parts.
"""

from collections.abc import Mapping

from clew.report.paper import ariadne
from clew.report.paper.shape import Column, PaperTable, Row, Setup, Wanted

BACKBONES = ("GPT-4o-mini", "GPT-4.1-mini")
SYSTEMS = ("Mem0", "MemU", "MemOS", "Zep", "EverMemOS", "Mandol")
BASE = "full"
PARTS: Mapping[
    str, str
] = {  # by ablation, in the order in which a message and a question meet them
    "no_enhancement": "w/o time and topic",
    "no_abstract": "w/o abstract memory",
    "no_routing": "w/o routing",
    "no_expansion": "w/o expansion",
    "no_denoise": "w/o MAD filter",
    "no_arbitration": "w/o arbitration",
    "no_mmr": "w/o MMR",
}
SETUP = {
    "system": "the authors' code; EverMemOS run by the authors, the others as reported elsewhere",
    "language model": "as named in each row",
    "embedder": "Qwen3-Embedding-0.6B, splade-v3 and bge-reranker-v2-m3",
    "judge": "LLM, EverMemOS's script; the released code names gpt-4o-mini",
    "metric": "share of answers judged correct; Overall: over all questions (micro)",
    "protocol": "LoCoMo, categories 1 to 4; the released code is told a question's category",
    "repeats": "one run, no intervals",
    "data": "LoCoMo, 10 conversations (version not named)",
    "code": "github.com/AgentCombo/Mandol",
    "machine": "one H800, 20 vCPUs",
}

_NAMES = {"4": "single", "1": "multi", "2": "temp.", "3": "open"}
TABLE_3 = PaperTable(
    "mandol_3",
    "Mandol, Table 3: answers on LoCoMo by category",
    columns=(
        *(Column(f"{name} judge", category, "", "judge") for category, name in _NAMES.items()),
        Column("judge (micro)", "micro", "", "judge"),
        *(Column(f"{name} F1", category, "f1_set") for category, name in _NAMES.items()),
        ariadne.MICRO,
        Column("LoCoMo's F1 (micro)", "micro", "f1_locomo"),
        ariadne.RECALL,
        ariadne.TOKENS,
    ),
    rows=(
        *(
            Row(f"{system}, {backbone}", {"system": system, "backbone": backbone})
            for backbone in BACKBONES
            for system in SYSTEMS
        ),
        Row("Mandol: mandol", run=Wanted(("mandol",))),
        Row("Mandol: mandol_llm", run=Wanted(("mandol_llm",), more="llm=openai")),
        *(Row(f"not in the paper: {s}", run=Wanted((s,))) for s in ("ariadne", "hybrid")),
    ),
    setup=Setup(SETUP),
    published="mandol_3",
    notes=(
        "Ours is not judged here: experiments/judge.py does that; `clew report` shows it.",
        "The published rows are told each question's category by the data set; ours is told none.",
    ),
)

TABLE_PARTS = PaperTable(
    "mandol_parts",
    "Mandol: what each part is worth",
    columns=(
        *ariadne.WORTH,
        ariadne.OUR_TOKENS,
    ),
    rows=(
        Row(BASE, run=Wanted(("mandol",))),
        *(Row(title, run=Wanted(("mandol",), name)) for name, title in PARTS.items()),
    ),
    setup=Setup({a: "the paper has no such table" for a in SETUP if a != "system"}),
    family=("mandol",),
    swapped=tuple(
        f"system.{stage}"
        for stage in (
            "enhance", "agglomerate", "route", "expand", "denoise", "arbitrate", "pack"
        )
    ),
    base=BASE,
    sweeps=("mandol",),
)  # fmt: skip
