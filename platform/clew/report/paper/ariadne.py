"""The tables of the AriadneMem paper (arXiv 2603.03290), and which of our runs stand beside them.

"Average" is the plain mean of the four categories' means (macro). F1 and BLEU are of the
convention that the paper's tables follow: word sets, without stems (`f1_set`, `bleu1`).
"""

from dataclasses import replace

from clew.report.paper.shape import Column, PaperTable, Row, Setup, Wanted

FAMILY = ("ariadne", "ariadne_llm", "ariadne_paper", "ariadne_paper_llm")
BACKBONES = ("GPT-4.1-mini", "GPT-4o", "Qwen3-Plus")
SYSTEMS = (
    "LoCoMo", "ReadAgent", "MemoryBank", "MemGPT", "A-Mem", "LightMem", "Mem0", "SimpleMem",
    "AriadneMem",
)  # fmt: skip
STAGES = ("system.gate", "system.write", "system.expand", "system.mine")

SETUP = {
    "system": "the authors' code, and the baselines as their papers or SimpleMem's report them",
    "language model": "as named in each row",
    "embedder": "not named in the paper",
    "judge": "none: F1 and BLEU against the gold answers",
    "metric": "F1 over sets of words, BLEU-1; Average: plain mean of four categories (macro)",
    "protocol": "LoCoMo, categories 1 to 4",
    "repeats": "one run, no intervals",
    "data": "LoCoMo, 10 conversations (version not named)",
    "code": "not named in the paper",
    "machine": "not named in the paper",
}

CATEGORIES = tuple(
    Column(f"{name} {metric}", category, f"{ours}", printed)
    for category, name in {"1": "multi", "2": "temp.", "3": "open", "4": "single"}.items()
    for metric, ours, printed in (("F1", "f1_set", "f1"), ("BLEU", "bleu1", "bleu1"))
)
AVERAGE = Column("avg F1 (macro)", "macro", "f1_set", "average_f1")
MICRO = Column("F1 (micro)", "micro", "f1_set")
RECALL = Column("R@500 (micro)", "micro", "evidence_recall_500")
DELTA = Column("Δ avg F1", "macro", "f1_set", "average_f1", "points", against_base=True)
DELTA_MICRO = Column("Δ F1 micro", "micro", "f1_set", "", "points", against_base=True)
DELTA_RECALL = Column(
    "Δ R@500 micro", "micro", "evidence_recall_500", "", "points", against_base=True
)
WORTH = (AVERAGE, DELTA, MICRO, DELTA_MICRO, RECALL, DELTA_RECALL)  # of a part, beside its base
TOKENS = Column("tokens", "micro", "context_tokens", "context_tokens", "tokens")
OUR_TOKENS = replace(TOKENS, printed="")


def _ours(system: str) -> Wanted:
    return Wanted((system,), more="llm=openai" * system.endswith("_llm"))


TABLE_1 = PaperTable(
    "ariadne_1",
    "AriadneMem, Table 1: answers on LoCoMo by category",
    columns=(
        *CATEGORIES,
        AVERAGE,
        Column("avg BLEU (macro)", "macro", "bleu1", "average_bleu1"),
        MICRO,
        Column("LoCoMo's F1 (micro)", "micro", "f1_locomo"),
        RECALL,
        TOKENS,
    ),
    rows=(
        *(
            Row(f"{system}, {backbone}", {"system": system, "backbone": backbone})
            for backbone in BACKBONES
            for system in SYSTEMS
        ),
        Row("full context (the paper's LoCoMo)", run=Wanted(("full_context",))),
        *(Row(f"AriadneMem: {name}", run=_ours(name)) for name in FAMILY),
        *(Row(f"not in the paper: {s}", run=Wanted((s,))) for s in ("bm25", "dense", "hybrid")),
    ),
    setup=Setup(SETUP),
    published="ariadne_1",
    sweeps=("systems",),
    notes=(
        "Ours has no ReadAgent, MemoryBank, MemGPT, A-Mem, LightMem, Mem0 or SimpleMem.",
        "Published tokens are of the GPT-4 tokenizer, as ours; full context counts all of it.",
    ),
)

_TIMES = (
    Column("construction s", "conversation", "construction", "construction", "seconds"),
    Column("retrieval s", "conversation", "retrieval", "retrieval", "seconds"),
    Column("total s", "conversation", "total", "total", "seconds"),
    Column("of it embedding s", "conversation", "embedding", "", "seconds"),
)
TABLE_2 = PaperTable(
    "ariadne_2",
    "AriadneMem, Table 2: time for a conversation, and F1",
    columns=(*_TIMES, AVERAGE, MICRO),
    rows=(
        *(
            Row(f"{system}, GPT-4.1-mini", {"system": system, "backbone": "GPT-4.1-mini"})
            for system in ("A-Mem", "LightMem", "Mem0", "SimpleMem")
        ),
        Row("AriadneMem, GPT-4o", {"system": "AriadneMem", "backbone": "GPT-4o"}),
        Row("AriadneMem, GPT-4.1-mini", {"system": "AriadneMem", "backbone": "GPT-4.1-mini"}),
        *(Row(f"AriadneMem: {name}", run=_ours(name)) for name in FAMILY),
        *(Row(f"not in the paper: {s}", run=Wanted((s,))) for s in ("bm25", "dense", "hybrid")),
    ),
    setup=Setup(SETUP),
    published="ariadne_2",
    sweeps=("systems",),
    notes=(
        "Seconds are not comparable between published and ours: another machine, another language "
        "model, other places that the model is asked over the network. Read each by itself.",
        "Ours: seconds of a conversation, the mean over conversations. Construction is all work "
        "on messages, retrieval all searches of its questions of categories 1 to 4, both with "
        "embedding; what a run embeds again comes from its cache, so a second run is quicker.",
        "The paper does not say whether its seconds are of one conversation; SimpleMem's paper, "
        "where the other rows come from, says per sample.",
    ),
)

TABLE_3 = PaperTable(
    "ariadne_3",
    "AriadneMem, Table 3: what each part is worth",
    columns=(*CATEGORIES, *WORTH),
    rows=tuple(
        Row(title, {"configuration": printed}, Wanted(ablation=ablation))
        for title, printed, ablation in (
            ("full", "Full AriadneMem", "full"),
            ("w/o gating", "w/o Entropy-aware gating", "no_gating"),
            ("w/o coarsening", "w/o Coarsening", "no_coarsening"),
            ("w/o bridges", "w/o bridge discovery", "no_bridges"),
            ("w/o topology", "w/o topology-aware reasoning", "no_topology"),
        )
    ),
    setup=Setup(SETUP | {"language model": "GPT-4o"}),
    published="ariadne_3",
    family=FAMILY,
    swapped=STAGES,
    base="full",
    sweeps=("ariadne_table3",),
)


def _depth(parameter: str, k: int) -> Row:
    """Return the row of one depth; the other stays at its default."""
    depths = {"k_sem": 20, "k_lex": 5} | {parameter: k}
    settings = {f"system.recall.{name}": value for name, value in depths.items()}
    title = f"{parameter} = {k}" + " (default)" * (k == {"k_sem": 20, "k_lex": 5}[parameter])
    return Row(title, {"configuration": f"{parameter}={k}"}, Wanted(settings=settings))


TABLE_4 = PaperTable(
    "ariadne_4",
    "AriadneMem, Table 4: depth of retrieval",
    columns=(
        AVERAGE,
        DELTA,
        Column("retrieval s", "conversation", "retrieval", "retrieval", "seconds"),
        MICRO,
        DELTA_MICRO,
        RECALL,
        DELTA_RECALL,
        OUR_TOKENS,
    ),
    rows=(
        *(_depth("k_sem", k) for k in (1, 10, 20, 30)),
        *(_depth("k_lex", k) for k in (1, 3, 5, 10)),
    ),
    setup=Setup(SETUP | {"language model": "GPT-4o"}),
    published="ariadne_4",
    family=FAMILY,
    swapped=("system.recall.k_sem", "system.recall.k_lex"),
    base="k_sem = 20 (default)",
    sweeps=("ariadne_table4a", "ariadne_table4b"),
    notes=(
        "The default stands in both halves: it is one run. Seconds are not comparable between "
        "published and ours: another machine; ours are of a conversation.",
    ),
)
