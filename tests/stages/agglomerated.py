"""A memory that a model and then nobody else reads for what it comes to, as a test tells it."""

from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

from talking import Says, opened

from clew.model import Add, Message, Unit
from clew.stages.agglomerate_llm import LlmLayers
from clew.stages.enhance import Bare
from clew.stages.extract import RuleBased
from clew.stores.graph import Entry

MakeMessage = Callable[..., Message]
TALK = (
    ("Ulla", "What came of the kiln, Benno?"),
    ("Benno", "It cracked yesterday. So I bought another one from Imke."),
    ("Benno", "Imke works as a potter in Sandvik now. I am proud of my glazes."),
    ("Ulla", "I love green tea."),
)


def event(label: str, sentence: str, *sources: str, **more: Any) -> dict[str, Any]:
    return {"label": label, "sentence": sentence, "sources": list(sources), **more}


def fact(subject: str, property: str, value: str, *sources: str, **more: Any) -> dict[str, Any]:
    told = {"subject": subject, "property": property, "value": value, "kind": "person"}
    return {**told, "sources": list(sources), **more}


def taste(person: str, attitude: str, what: str, *sources: str, feeling: str = "") -> Any:
    told = {"person": person, "attitude": attitude, "what": what, "feeling": feeling}
    return {**told, "sources": list(sources)}


GOOD = {
    "events": [
        event("e1", "Benno's kiln cracked yesterday.", "D1:0", "D1:1", time="yesterday"),
        event("e2", "Benno bought a kiln from Imke.", "D1:1", persons=["Imke"], because=["e1"]),
    ],
    "facts": [
        fact("Imke", "works as", "potter", "D1:2", single=True),
        fact("Imke", "home", "Sandvik", "D1:2"),
    ],
    "tastes": [
        taste("Benno", "feels", "his glazes", "D1:2", feeling="proud"),
        taste("Ulla", "likes", "green tea", "D1:3"),
    ],
}


class Talk:
    """Tells a memory chunks, which a model reads for abstract memory."""

    def __init__(self, folder: Path, message: MakeMessage, says: Says, **more: Any) -> None:
        self.memory, self.model = opened(folder, says, **more)
        self._message, self._at = message, 0

    def tell(
        self,
        *said: tuple[str, str],
        days: int = 0,
        apart: int = 0,
        stage: Any = None,
        how: Any = None,
    ) -> list[Unit]:
        """Tell one chunk, of messages so many hours apart; return all abstract units."""
        chunk = [
            self._message(n, text, speaker, hours=24 * days + apart * (n - self._at))
            for n, (speaker, text) in enumerate(said, self._at)
        ]
        self._at += len(chunk)
        units = Bare()(RuleBased()(tuple(chunk), self.memory), chunk, self.memory)
        units.how = how
        above = (stage or LlmLayers())(units, chunk, self.memory)
        self.memory.ingest(chunk, chain(map(Add, units), above), units.how)
        return [unit for unit in self.memory.graph.units() if unit.level > 0]

    def edges(self, kind: str) -> list[tuple[str, str]]:
        return [(e.source, e.target) for e in self.memory.graph.all_edges() if e.kind == kind]

    def said(self, kind: str) -> set[tuple[str, ...]]:
        """Return the edges of a kind, as what their units say."""
        return {tuple(u.text for u in self.memory.units(edge)) for edge in self.edges(kind)}

    @property
    def read(self) -> tuple[str, dict[str, float]]:
        """How the last chunk was read, and what was counted."""
        entry = self.ingested[-1]
        counts = {name: n for name, n in entry.scores.items() if name != "units"}
        return entry.reason.partition(":")[0], counts

    @property
    def ingested(self) -> list[Entry]:
        return [entry for entry in self.memory.graph.ledger() if entry.op == "INGEST"]

    def close(self) -> None:
        self.memory.llm.close()
        self.memory.close()


Open = Callable[..., Talk]


def texts(units: list[Unit], source: str = "") -> list[str]:
    return [unit.text for unit in units if not source or source in unit.spaces]
