"""Divergences: what AriadneMem's released code does otherwise than its paper, and what it is worth.

No paper has this table. Its base follows the paper's text and numbers; each row changes one
thing to what the code does, and the last has all of them. D1 to D26 number the differences;
those that are in no row change nothing here, or cannot be measured (see `clew.stages.released`).
"""

from collections.abc import Mapping

from clew.report.paper import ariadne
from clew.report.paper.shape import Column, PaperTable, Row, Setup, Wanted

BASE = "as the paper has it"
ROWS: Mapping[str, str] = {  # by ablation, in the order in which a message and a question meet them
    "code_identical_too": "D3, D8: identical words are dropped for a day",
    "code_dead_gate": "D4: the gate is asked before anything is stored",
    "code_window": "windows of 40, not 20",
    "code_by_day": "D6: units are stamped with days",
    "code_no_links": "D1, D7: no link is ever stored",
    "code_recent_only": "D9: compared with the latest 10 units alone",
    "code_batch_dedup": "D10: only all but equal units are merged",
    "code_dead_fast_path": "D24: no fast path ever answers",
    "code_k_sem": "k_sem 25, not 20",
    "code_like_search": "D11: LIKE over the first rows, not BM25",
    "code_no_downweight": "D12: no weighing down",
    "code_chain_edges": "D14: a chain, not a graph",
    "code_keyword_edges": "D15: keywords and speakers are entities",
    "code_neighbour_bridges": "D16, D20: bridges between neighbours in time",
    "code_recalled_bridges": "D17: a bridge may be a terminal",
    "code_loose_bridges": "D18: a bridge may lie a day outside",
    "code_reduced_queries": "D19: three short queries for a bridge",
    "code_points": 'D13: points for words, most for a "target"',
    "code_spliced_paths": "D21: paths close over what was pruned",
    "code_latest_paths": "D23: the longest, latest paths first",
    "code_by_rank": "D22: facts by rank, not in order of time",
}


def _recall(tokens: int) -> Column:
    return Column(f"R@{tokens} (micro)", "micro", f"evidence_recall_{tokens}")


DIVERGENCES = PaperTable(
    "divergences",
    "AriadneMem: what its released code does otherwise than its paper, one thing at a time",
    columns=(
        ariadne.AVERAGE,
        ariadne.DELTA,
        ariadne.MICRO,
        ariadne.DELTA_MICRO,
        _recall(250),
        ariadne.RECALL,
        ariadne.DELTA_RECALL,
        _recall(1000),
        _recall(2000),
    ),
    rows=(
        Row(BASE, run=Wanted(("ariadne_paper",))),
        *(Row(title, run=Wanted(("ariadne_paper",), name)) for name, title in ROWS.items()),
        Row("all of them: ariadne_code", run=Wanted(("ariadne_paper",), "code_all")),
    ),
    setup=Setup({a: "no paper has this table" for a in ariadne.SETUP if a != "system"}),
    base=BASE,
    sweeps=("ariadne_divergences",),
    notes=(
        "Where the code's results depend on the order of threads or of sets, ours is the order "
        "of telling, or of the alphabet. The code keeps no evidence (D2); ours does in all rows.",
        "D11 takes BM25 out of the score that orders what is recalled, too, as the code has none.",
        "D5, D25 and D26 are of prompts and switches, so they have no row. With all of them, D4 "
        "leaves nothing of D3, and D10 nothing of D7 to D9.",
    ),
)
