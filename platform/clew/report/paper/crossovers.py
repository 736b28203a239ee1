"""Cross-overs: what a part of one system is worth in another one. No paper has this table.

Every row differs from its host, the row that its differences are to, in the part named. The
hosts are the papers' systems; of the last group it is one that adds every unit, so that its
rows differ in what is written alone.
"""

from collections.abc import Mapping
from dataclasses import replace

from clew.report.paper import ariadne
from clew.report.paper.shape import PaperTable, Row, Setup, Wanted

PARTS: Mapping[str, Mapping[str, str]] = {  # by host and system, each as its row is called
    "ariadne": {
        "ariadne_mad": "+ MAD filter",
        "ariadne_mmr": "+ MMR packing",
        "ariadne_mad_mmr": "+ MAD filter and MMR packing",
        "ariadne_as_of": "+ as-of arbitration",
    },
    "simplemem": {
        "simplemem_steiner": "+ Steiner tree",
        "simplemem_as_of": "+ as-of arbitration",
    },
    "written": {
        "written_coarsened": "+ conflict-aware coarsening",
        "written_consolidated": "+ consolidation",
        "written_layered": "+ layers",
    },
}
HOSTS: Mapping[str, str] = {
    "ariadne": "AriadneMem",
    "simplemem": "SimpleMem",
    "written": "every unit added",
}


def _rows(host: str) -> tuple[Row, ...]:
    name = HOSTS[host]
    parts = PARTS[host].items()
    return (
        Row(name, run=Wanted((host,))),
        *(
            Row(f"{name} {part}", run=Wanted((system,)), base=name, parts=1 + part.count(" and "))
            for system, part in parts
        ),
    )


CROSSOVERS = PaperTable(
    "crossovers",
    "Cross-overs: what a part of one system is worth in another one",
    columns=(
        *ariadne.WORTH,
        ariadne.OUR_TOKENS,
        replace(ariadne.OUR_TOKENS, heading="Δ tokens", against_base=True),
    ),
    rows=tuple(row for host in HOSTS for row in _rows(host)),
    setup=Setup({a: "no paper has this table" for a in ariadne.SETUP if a != "system"}),
    sweeps=("crossovers",),
    notes=(
        "Differences are to the plain row above. F1 and tokens are of the context that a system "
        "answers from. SimpleMem has no budget, so its rows differ in tokens as well; its R@500 "
        "alone is of contexts cut at the same number.",
        "A Steiner tree may lead through archived units: what it goes through is told.",
        "The last four have the same windows, extraction, recall and packing. The recall is "
        "SimpleMem's at a fixed depth: it goes from an abstract unit to what is archived under it.",
    ),
)
