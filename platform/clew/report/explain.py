"""Why a question got its answer: every hit with its scores, edges, path and validity.

The search is done again over the run's memory, which asks no LLM but one that plans it (its
replies may be in the cache); what the run answered is read from its journal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from clew.evaluate.journal import Record
from clew.memory import Memory
from clew.model import Context, Dropped, Edge, Graph, Path, Query, Scored, View
from clew.stores.graph import GraphStore
from clew.systems.base import MemorySystem


@dataclass(frozen=True, slots=True)
class Row:
    """One hit: `label` names it in the tables, `paths` are the numbers of its paths."""

    label: str
    node: Scored
    view: View
    edges: tuple[Edge, ...]
    paths: tuple[int, ...]
    gold: tuple[str, ...]
    packed: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """The evidence of one question, hit by hit, and the gold that is missing from it.

    `missing` says of each gold message that no hit is built from what became of it.
    """

    record: Record
    graph: Graph
    context: Context
    rows: tuple[Row, ...]
    missing: Mapping[str, str]


def explain(system: MemorySystem, memory: Memory, record: Record) -> Explanation:
    """Search again for a journaled question, and hold the hits against its gold."""
    asked_at = datetime.fromisoformat(record.asked_at) if record.asked_at else None
    graph = system.gather(Query(record.query, asked_at, record.conversation), memory)
    context = system.context(graph, memory)
    views = memory.graph.views([node.unit.id for node in graph.nodes])
    rows = tuple(
        _row(f"#{rank}", node, views.get(node.unit.id, View()), graph, context, record)
        for rank, node in enumerate(graph.nodes, start=1)
    )
    found = {message for row in rows for message in row.gold}
    missing = [message for message in record.evidence if message not in found]
    told = fates(missing, memory.graph) | _dropped_gold(missing, graph)
    return Explanation(record, graph, context, rows, told)


def show(explanation: Explanation, console: Console) -> None:
    """Print an explanation: question and answer, hits, edges, paths, drops, missing gold."""
    labels = {row.node.unit.id: row.label for row in explanation.rows}
    console.print(_head(explanation))
    console.print(_hits(explanation.rows))
    if explanation.graph.edges:
        console.print(_edges(explanation.graph.edges, labels))
    if explanation.graph.paths:
        console.print(_paths(explanation.graph.paths, labels))
    if explanation.graph.dropped:
        console.print(_dropped(explanation.graph.dropped, labels))
    if explanation.missing:
        console.print(_missing(explanation.missing))


def _row(
    label: str, node: Scored, view: View, graph: Graph, context: Context, record: Record
) -> Row:
    id = node.unit.id
    messages = view.messages or tuple(e.message for e in node.unit.evidence)
    return Row(
        label=label,
        node=node,
        view=view,
        edges=tuple(edge for edge in graph.edges if id in (edge.source, edge.target)),
        paths=tuple(n for n, path in enumerate(graph.paths, start=1) if id in path.units),
        gold=tuple(message for message in messages if message in record.evidence),
        packed=id in context.units,
    )


def fates(messages: Sequence[str], graph: GraphStore) -> dict[str, str]:
    """Say what became of messages: dropped, turned into units, or never taken up."""
    found = dict.fromkeys(messages, "in no memory: the message was never taken up")
    if not messages:
        return found
    for id in graph.processed() & found.keys():
        found[id] = "no unit was made from it"
    for unit in (unit for unit in graph.units() if unit.level == 0):
        for message in {e.message for e in unit.evidence} & found.keys():
            found[message] = f"not retrieved: unit {unit.id}"
    for entry in graph.ledger():
        if entry.op == "DROP" and entry.targets[0] in found:
            message, *known = entry.targets
            of = f" as a repeat of {known[0]}" if known else ""
            found[message] = f"dropped by the gate{of}"
        elif entry.op == "MERGE":
            message = entry.targets[0].rpartition(".")[0]
            if message in found:
                found[message] = f"not retrieved: merged into {entry.targets[1]}"
    return found


def _head(explanation: Explanation) -> Table:
    record, context = explanation.record, explanation.context
    made = Table(box=None, show_header=False, pad_edge=False)
    made.add_column(style="bold")
    made.add_column(overflow="fold")
    scores = ", ".join(f"{name} {value:.3f}" for name, value in sorted(record.scores.items()))
    lines = {
        record.question: record.query,
        "asked at": record.asked_at or "unknown",
        "answer": record.answer + " (abstained)" * record.abstained,
        "gold": f"{record.gold} (category {record.category})",
        "gold messages": ", ".join(record.evidence) or "none",
        "fast path": explanation.graph.known or "none",
        "context": f"{context.tokens} tokens from {len(context.units)} units",
        "scores": scores,
    }
    if record.error:
        lines["error"] = record.error
    for name, value in lines.items():
        made.add_row(name, Text(value))
    return made


def _hits(rows: Sequence[Row]) -> Table:
    made = _table(
        "Hits, by rank (* from a gold message; - left out of the context)",
        "hit", "unit", "role", "score", "dense", "lexical", "entity", "edges", "paths", "valid",
        "gold", "text",
    )  # fmt: skip
    for row in rows:
        node = row.node
        mark = "*" * bool(row.gold) + "-" * (not row.packed)
        cells = [row.label + mark, node.unit.id, node.role, f"{node.score:.3f}"]
        cells += [f"{value:.3f}" for value in (node.dense, node.lexical, node.entity)]
        cells += [str(len(row.edges)), ", ".join(map(str, row.paths)), _valid(row)]
        made.add_row(*map(Text, [*cells, ", ".join(row.gold), node.unit.text]))
    return made


def _valid(row: Row) -> str:
    """Say from when to when a unit holds, and whether a later state replaced it."""
    start, end = row.node.unit.valid_from, row.view.valid_to
    span = f"{_moment(start)} to {_moment(end)}" if end else f"from {_moment(start)}"
    return span if row.view.status == "active" else f"{span}, {row.view.status}"


def _moment(at: datetime | None) -> str:
    return at.strftime("%Y-%m-%d %H:%M") if at else "unknown"


def _edges(edges: Sequence[Edge], labels: Mapping[str, str]) -> Table:
    made = _table("Edges, from the earlier to the later", "from", "to", "kind", "weight")
    for edge in edges:
        ends = (labels.get(id, id) for id in (edge.source, edge.target))
        made.add_row(*map(Text, [*ends, edge.kind, f"{edge.weight:.3f}"]))
    return made


def _paths(paths: Sequence[Path], labels: Mapping[str, str]) -> Table:
    made = _table("Reasoning paths", "path", "score", "chain")
    for number, path in enumerate(paths, start=1):
        chain = labels.get(path.units[0], path.units[0]) if path.units else ""
        for kind, id in zip(path.kinds, path.units[1:], strict=True):
            chain += f" -{kind}-> {labels.get(id, id)}"
        made.add_row(*map(Text, [str(number), f"{path.score:.3f}", chain]))
    return made


def _dropped(dropped: Sequence[Dropped], labels: Mapping[str, str]) -> Table:
    made = _table("Found and left out again", "unit", "score", "reason", "kept", "text")
    for each in dropped:
        node, kept = each.node, labels.get(each.kept, each.kept)
        cells = [node.unit.id, f"{node.score:.3f}", each.reason, kept, node.unit.text]
        made.add_row(*map(Text, cells))
    return made


def _dropped_gold(messages: Sequence[str], graph: Graph) -> dict[str, str]:
    """Say of messages that what was found of them was left out again, and why."""
    found: dict[str, str] = {}
    for each in graph.dropped:
        for message in {e.message for e in each.node.unit.evidence}.intersection(messages):
            found.setdefault(message, f"left out as {each.reason}: unit {each.node.unit.id}")
    return found


def _missing(fates: Mapping[str, str]) -> Table:
    made = _table("Gold messages that no hit is built from", "message", "what became of it")
    for message, fate in fates.items():
        made.add_row(Text(message), Text(fate))
    return made


def _table(title: str, *headings: str) -> Table:
    made = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        made.add_column(heading, overflow="fold")
    return made
