"""A run that shows a page all there is: every role, edges, paths, undated units, odd texts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from tiny_run import START, Talks, Tiny, conversation, new_memory, question, settings

from clew.evaluate.run import run
from clew.memory import Memory
from clew.model import Conversation, Edge, Graph, Query, Question, Scored
from clew.model import Path as Chain

ODD = '</script><script>document.title = "broken"</script> & <b>"bold"</b> \'quoted\' \\ [[data]]'
RTL = "שלום, we meet at 3 😀"
LONG = "oxen" * 60
TEXTS = ("we meet at 2", RTL, ODD, LONG, "the flat is red", "the cat sleeps", "she lives in Graz")
ROLES = ("terminal", "terminal", "terminal", "bridge", "neighbour", "fact", "terminal")
DAYS = (0, 1, 1, 9, 40, 300, None)


@dataclass(frozen=True)
class Woven(Tiny):
    """Retrieves all that it holds, joined in a way that is always the same."""

    def gather(self, query: Query, memory: Memory) -> Graph:
        if "nothing" in query.text:
            return Graph()
        if "explode" in query.text:
            raise RuntimeError(f"boom {ODD}")
        units = list(memory.graph.units())
        if "little" in query.text:
            units = units[4:5]
        scored = (Scored(unit, 1.0, role=ROLES[unit.position]) for unit in units)  # type: ignore[arg-type]
        if len(units) < len(TEXTS):
            return Graph(tuple(scored))
        ids = [unit.id for unit in units]
        edges = (
            Edge(ids[0], ids[3], "BRIDGE"),
            Edge(ids[3], ids[4], "BRIDGE"),
            Edge(ids[0], ids[1], "SUPERSEDES"),
            Edge(ids[1], ids[2], "TIME_NEAR"),
            Edge(ids[0], ids[2], "SHARED_ENTITY"),
        )
        chains = (
            Chain((ids[0], ids[3], ids[4]), ("BRIDGE", "BRIDGE"), 2.0),
            Chain((ids[0], ids[1]), ("SUPERSEDES",), 1.0),
        )
        return Graph(tuple(scored), edges, chains)


def talk(id: str, asked: Sequence[Question]) -> Conversation:
    """Return a talk that goes on for most of a year, and ends without a date."""
    made = conversation(id, TEXTS, asked)
    dates = [None if days is None else START + timedelta(days=days) for days in DAYS]
    said = (replace(m, said_at=at) for m, at in zip(made.messages, dates, strict=True))
    return replace(made, messages=tuple(said))


QUESTIONS = (
    question("t:0", "When do they meet?", "we meet at 2", 2, ("D1:0",)),
    question("t:1", f"What is odd? {ODD}", ODD, 4, ("D1:2",)),
    question("t:2", "A little of the flat?", "red", 4, ("D1:4", "D1:5")),
    question("t:3", "nothing of the cat?", "asleep", 1, ("D1:5",)),
    question("t:4", "Will it explode?", "no", 3, ("D1:1",)),
    question("t:5", "Who is Zoe?", "Not mentioned in the conversation", 5, ("D1:2",)),
    question("t:6", "Wo wohnt sie?", "Graz", 4, ("D1:6",)),
)


def woven(folder: Path) -> Path:
    """Run over two such talks; the second has a single question."""
    other = question("u:0", "When do they meet?", "at 3", 2, ("D1:1", "D9:9"))
    data = Talks((talk("t", QUESTIONS), talk("u", (other,))))
    config = {"system": {"k": 3, "note": ODD}}
    run(Woven(), data, new_memory(folder), folder, settings("woven", config=config))
    return folder
