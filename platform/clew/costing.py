"""`clew cost`: what a run will take of a language model, or has taken."""

import json
import os
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Annotated, Any

import typer
from pydantic import BaseModel
from rich.console import Console
from rich.progress import track

from clew.build import asks, made, open_memory
from clew.composing import composed
from clew.errors import ConfigError
from clew.evaluate.cost import Costs, Size, paid, rehearsed, sampled, scaled, total
from clew.evaluate.manifest import read_manifest
from clew.model import Conversation
from clew.models.asking import Asking
from clew.models.llm import Ask, Reply, Usage
from clew.models.price import Price
from clew.models.scripted import Script
from clew.prepare import APART
from clew.reopen import ROOT, folder_of
from clew.report.tables import Grid
from clew.text import count_tokens

NEUTRAL = ("store", "vectors", "tracking", *APART)  # change no prompt


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a model is: seconds to a reply's first token, and tokens a second from then on."""

    latency: float
    rate: float
    concurrency: int

    def seconds(self, part: str, usage: Usage) -> float:
        """Return how long a part of a run waits for it; questions are asked one by one."""
        one_by_one = usage.calls * self.latency + usage.completion_tokens / self.rate
        return one_by_one / (1 if part == "query" else self.concurrency)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run will take, and how much of its data that was tried out on.

    `schemas` are the tokens of the schemas of replies, which some servers count as prompt.
    """

    costs: Costs
    schemas: int
    seen: Size
    whole: Size
    concurrency: int


class ByRule(Script):
    """Replies by rule, and counts the tokens of the schemas that they were asked for in."""

    def __init__(self) -> None:
        self.schemas, self._lock = 0, Lock()

    def __call__(self, ask: Ask) -> Reply:
        """Return the reply that the rules make."""
        tokens = 0 if ask.shape is None else _schema_tokens(ask.shape)
        with self._lock:
            self.schemas += tokens
        return super().__call__(ask)


@cache
def _schema_tokens(shape: type[BaseModel]) -> int:
    return count_tokens(json.dumps(shape.model_json_schema()))


def cost(
    word: Annotated[
        list[str],
        typer.Argument(metavar="RUN... | SETTING...", help="Runs, or settings of one to come."),
    ],
    sample: Annotated[
        int, typer.Option(min=1, help="Conversations to try out; all are taken to be like them.")
    ] = 3,
    latency: Annotated[float, typer.Option(min=0, help="Seconds to a reply's first token.")] = 0.8,
    rate: Annotated[float, typer.Option(min=0.1, help="Tokens a second from then on.")] = 80.0,
) -> None:
    """Tell calls, tokens and money of a run, before it or after.

    Before: the settings of experiments/run.py, and judge= if it is to be judged, as in
    `clew cost system=ariadne_llm dataset=locomo price=gpt_4o_mini judge=lenient`. Nothing is
    asked: replies are made by rule, a note for each message.

    After: `clew cost l1`, or `clew cost l1 price=gpt_4o` by another price.
    """
    settings = [each for each in word if "=" in each]
    runs = [each for each in word if "=" not in each]
    if runs:
        for run in runs:
            _afterwards(run, settings)
        return
    config = _configured(settings)
    found = estimated(config, settings, sample)
    price: Price = made(config["price"], "price")
    pace = Pace(latency, rate, found.concurrency)
    _print("before the run, by replies made by rule", found.costs, price, pace)
    seen, whole = found.seen, found.whole
    typer.echo(
        f"Tried out on {seen.ingest:,} of {whole.ingest:,} messages and {seen.query:,} of "
        f"{whole.query:,} questions. Servers that put the schema of a reply into the prompt count "
        f"about {found.schemas:,} tokens more. Replies that are longer, or asked for again, come "
        f"on top; what is in the cache already costs nothing."
    )


def estimated(config: dict[str, Any], settings: Sequence[str], sample: int) -> Estimate:
    """Return what a run of this configuration will take of a model, without asking any."""
    system, data = made(config["system"], "system"), list(made(config["dataset"], "dataset"))
    concurrency = int(config["llm"].get("concurrency", 1))
    judge = None
    if by := [each for each in settings if each.startswith("judge")]:
        judge = made(composed([*by, "run=none"], "judging")["judge"], "judge")
    some = sampled(data, sample) if asks(system) or judge else data[:0]
    embedder, costs, model = made(config["embedder"], "embedder"), [], ByRule()
    with closing(Asking(model, concurrency)) as llm, TemporaryDirectory() as folder:
        for talk in _shown(some):
            with closing(open_memory(config, Path(folder), embedder, talk.id, llm=llm)) as memory:
                costs.append(rehearsed(system, talk, memory, llm, judge))
    seen, whole = Size.of(some), Size.of(data)
    found = scaled(costs, seen, whole)
    calls = [total(each.values()).calls for each in (found, *costs)]
    schemas = model.schemas * calls[0] // max(1, sum(calls[1:]))
    return Estimate(found, schemas, seen, whole, concurrency)


def _shown(some: Sequence[Conversation]) -> Iterable[Conversation]:
    """Return conversations with a bar at a terminal that tells how many are done."""
    console = Console(stderr=True)
    quiet = not console.is_terminal
    return track(some, "trying out", console=console, transient=True, disable=quiet)


def _configured(settings: Sequence[str]) -> dict[str, Any]:
    """Return the configuration of a run in a folder of its own, whatever servers it names."""
    if (ROOT / "conf").is_dir():
        os.chdir(ROOT)  # paths in a configuration start there
    apart = (*NEUTRAL, "judge")
    kept = [each for each in settings if each.partition("=")[0].partition(".")[0] not in apart]
    return composed(kept)


def _afterwards(run: str, settings: Sequence[str]) -> None:
    """Print what a run has taken, by its own price or another."""
    if wrong := [each for each in settings if not each.startswith("price")]:
        raise ConfigError(f"{wrong[0]}: a run is what it was; only price= may be set for it")
    folder = folder_of(run)
    config = composed(settings) if settings else read_manifest(folder)["config"]
    price = made(config["price"], "price") if "price" in config else Price()
    _print(f"{folder}: paid for", paid(folder), price)


def _print(title: str, costs: Costs, price: Price, pace: Pace | None = None) -> None:
    """Print a row for each part of a run, and one for all of it."""
    headings = ["part", "calls", "prompt tokens", "completion tokens"]
    headings += [price.currency] if price.known else []
    headings += ["waits, min"] if pace else ["calls known already", "their tokens"]
    waits = {part: pace.seconds(part, usage) / 60 if pace else 0.0 for part, usage in costs.items()}
    rows = [*costs.items(), ("in all", total(costs.values()))]
    waits["in all"] = sum(waits.values())
    cells = [(part, *_cells(usage, price, waits[part] if pace else None)) for part, usage in rows]
    Grid(f"{title} (price: {price})", tuple(headings), tuple(cells)).print(Console())


def _cells(usage: Usage, price: Price, minutes: float | None) -> tuple[str, ...]:
    counts = (usage.calls, usage.prompt_tokens, usage.completion_tokens)
    known = (usage.cached, usage.cached_tokens) if minutes is None else ()
    money = [f"{price.of(usage):.4f}"] if price.known else []
    waits = [] if minutes is None else [f"{minutes:.1f}"]
    return (*(f"{n:,}" for n in counts), *money, *(f"{n:,}" for n in known), *waits)
