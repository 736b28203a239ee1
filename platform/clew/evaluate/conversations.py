"""Conversations: the scores of a run by conversation, to see whether they differ."""

from collections import defaultdict
from pathlib import Path

from clew.evaluate.journal import Record, read_records
from clew.evaluate.stats import ANSWERABLE, means, table


def by_conversation(folder: Path) -> dict[str, list[float]]:
    """Return each score's means by conversation, in the order of the journal.

    Scores that some conversation does not have are left out.
    """
    groups: dict[str, list[Record]] = defaultdict(list)
    for record in read_records(folder / "journal.jsonl"):
        if record.category in ANSWERABLE:
            groups[record.conversation].append(record)
    names = sorted({name for some in groups.values() for one in some for name in one.scores})
    rows = [means(table(some, names)) for some in groups.values()]
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    return {
        f"conversation.{name}": [float(value) for value in column]
        for name, column in columns.items()
        if not any(value != value for value in column)  # NaN
    }
