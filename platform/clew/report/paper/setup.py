"""Setup: in what our runs differ from what the paper reports, aspect by aspect.

Ours is read from manifests; the paper's is declared with its table.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from clew.report.paper.found import Found
from clew.report.paper.shape import PaperTable

Aspects = Mapping[str, Callable[[Found], str]]

_SHORT = 10  # letters of a commit
_NO_LLM = "none: rules take notes, and answers are taken from the text"


def setup_rows(
    table: PaperTable, runs: Mapping[str, Sequence[Found]], more: Aspects | None = None
) -> list[tuple[str, str, str]]:
    """Return aspect, published and ours; ours names each way there is, with its rows.

    `more` are aspects that not every run has, or has otherwise.
    """
    aspects = {**ASPECTS, **(more or {})}
    return [
        (aspect, fact, _ours(aspects[aspect], runs))
        for aspect, fact in table.setup.facts.items()
        if aspect in aspects and (table.family or aspect != "system")  # rows name it otherwise
    ]


def _ours(told: Callable[[Found], str], runs: Mapping[str, Sequence[Found]]) -> str:
    by_text: dict[str, list[str]] = {}
    for title, repeats in runs.items():
        text = " and ".join(_unique(told(run) for run in repeats))
        by_text.setdefault(text, []).append(title)
    if not by_text:
        return "–"
    if len(by_text) == 1:
        return next(iter(by_text))
    return "; ".join(f"{text} ({', '.join(titles)})" for text, titles in by_text.items())


def _system(run: Found) -> str:
    return run.system


def _model(run: Found) -> str:
    return str(run.manifest.get("models", {}).get("llm", _NO_LLM))


def _embedder(run: Found) -> str:
    return str(run.manifest.get("models", {}).get("embedder", "unknown"))


def _judge(run: Found) -> str:
    return "none: F1 and BLEU-1 against the gold answers"


def _metric(run: Found) -> str:
    return (
        "f1_set and bleu1, the same conventions; macro and micro, with 95 % intervals "
        "(bootstrap over questions)"
    )


def _protocol(run: Found) -> str:
    return "categories 1 to 4; repeats are averaged by question"


def _repeats(run: Found) -> str:
    return run.seeds


def _data(run: Found) -> str:
    data = run.manifest.get("dataset", {})
    parts = ", ".join(f"{setting}={value}" for setting, value in run.part.items())
    text = f"{data.get('name')} {data.get('version', '')} {str(data.get('sha256', ''))[:8]}"
    return f"{text}, {parts}" if parts else text


def _code(run: Found) -> str:
    makers = run.manifest.get("commits") or [run.manifest]
    return " and ".join(_unique(_commit(maker) for maker in makers))


def _commit(made: Mapping[str, object]) -> str:
    return (
        f"{str(made.get('commit', 'unknown'))[:_SHORT]}{' with changes' * bool(made.get('dirty'))}"
    )


def _machine(run: Found) -> str:
    host = run.manifest.get("host", {})
    return f"{host.get('cpus')} cores, {host.get('system')}"


def _unique(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


ASPECTS: Aspects = {
    "system": _system,
    "language model": _model,
    "embedder": _embedder,
    "judge": _judge,
    "metric": _metric,
    "protocol": _protocol,
    "repeats": _repeats,
    "data": _data,
    "code": _code,
    "machine": _machine,
}
