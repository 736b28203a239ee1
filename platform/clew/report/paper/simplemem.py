"""The tables of SimpleMem (arXiv 2601.02553): answers, what each part is worth, and depth.

Its two versions print the same numbers for different mechanisms, and no released code has the
parts that its ablations take away: these are numbers to stand beside, not to be met.
"""

from clew.report.paper import ariadne
from clew.report.paper.shape import Column, PaperTable, Row, Setup, Wanted

FAMILY = ("simplemem", "simplemem_llm", "simplemem_v1")
THIRD = ("simplemem_v3", "simplemem_v3_llm")  # other stages, and so other ablations
BACKBONES = ("GPT-4.1-mini", "GPT-4o", "Qwen3-Plus")
SYSTEMS = (
    "Full context (LoCoMo)", "ReadAgent", "MemoryBank", "MemGPT", "A-Mem", "LightMem", "Mem0",
    "SimpleMem",
)  # fmt: skip
PARTS = (  # our ablation, the row as printed, and what we call it
    (
        "simplemem_no_atomisation",
        "w/o Semantic Compression (v1: w/o Atomization)",
        "w/o atomisation",
    ),
    (
        "simplemem_no_consolidation",
        "w/o Online Synthesis (v1: w/o Consolidation)",
        "w/o consolidation",
    ),
    (
        "simplemem_no_adaptive_depth",
        "w/o Intent-Aware Retrieval (v1: w/o Adaptive Pruning)",
        "w/o adaptive depth",
    ),
)
DEPTHS = (1, 3, 5, 10, 20)
SETUP = {
    "system": "the authors', and the baselines as they ran them",
    "language model": "as named in each row",
    "embedder": "text-embedding-3-small (v1), Qwen3-Embedding-0.6B (v3); the numbers are the same",
    "judge": "none: F1 and BLEU against the gold answers",
    "metric": "F1 over sets of words, BLEU-1; Average: plain mean of four categories (macro)",
    "protocol": "LoCoMo, categories 1 to 4",
    "repeats": "one run, no intervals",
    "data": "LoCoMo, 10 conversations (version not named)",
    "code": "github.com/aiming-lab/SimpleMem, without the parts that are ablated",
    "machine": "not named in the paper",
}
_F1 = tuple(column for column in ariadne.CATEGORIES if column.ours == "f1_set")


TABLE_1 = PaperTable(
    "simplemem_1",
    "SimpleMem, Table 1: answers on LoCoMo by category",
    columns=(
        *ariadne.CATEGORIES,
        ariadne.AVERAGE,
        Column("avg BLEU (macro)", "macro", "bleu1", "average_bleu1"),
        ariadne.MICRO,
        ariadne.RECALL,
        ariadne.TOKENS,
    ),
    rows=(
        *(
            Row(f"{system}, {backbone}", {"system": system, "backbone": backbone})
            for backbone in BACKBONES
            for system in SYSTEMS
        ),
        *(
            Row(f"SimpleMem: {name}", run=Wanted((name,), more="llm=openai" * ("_llm" in name)))
            for name in (*FAMILY, *THIRD)
        ),
        *(Row(f"not in the paper: {s}", run=Wanted((s,))) for s in ("ariadne", "hybrid")),
    ),
    setup=Setup(SETUP),
    published="simplemem_1",
    sweeps=("systems",),
    notes=("Ours has no ReadAgent, MemoryBank, MemGPT, A-Mem, LightMem or Mem0.",),
)

TABLE_5 = PaperTable(
    "simplemem_5",
    "SimpleMem, Table 5 (Table 4 of its first version): what each part is worth",
    columns=(
        *_F1,
        *ariadne.WORTH,
        ariadne.OUR_TOKENS,
    ),
    rows=(
        Row("full", {"configuration": "full"}, Wanted()),
        *(
            Row(title, {"configuration": printed}, Wanted(ablation=ablation))
            for ablation, printed, title in PARTS
        ),
        Row("w/o novelty gate", run=Wanted(ablation="simplemem_no_novelty")),
    ),
    setup=Setup(SETUP | {"language model": "GPT-4.1-mini"}),
    published="simplemem_5",
    family=FAMILY,
    swapped=("system.gate", "system.extract", "system.consolidate", "system.depth"),
    base="full",
    sweeps=("simplemem_table5",),
    notes=("The paper does not print what its gate alone is worth.",),
)

TABLE_6 = PaperTable(
    "simplemem_6",
    "SimpleMem, Table 6 (Table 5 of its first version): how many units are told",
    columns=(ariadne.AVERAGE, ariadne.MICRO, ariadne.RECALL, ariadne.OUR_TOKENS),
    rows=(
        *(
            Row(f"{system}, k = {k}", {"system": system, "configuration": f"top-k={k}"})
            for system in ("ReadAgent", "MemGPT", "SimpleMem")
            for k in DEPTHS
        ),
        Row("adaptive depth", run=Wanted()),
        *(
            Row(
                f"k = {k}",
                run=Wanted(ablation="simplemem_no_adaptive_depth", settings={"system.depth.k": k}),
            )
            for k in DEPTHS
        ),
    ),
    setup=Setup(SETUP | {"language model": "GPT-4.1-mini"}),
    published="simplemem_6",
    family=FAMILY,
    swapped=("system.depth",),
    sweeps=("simplemem_table6",),
)
