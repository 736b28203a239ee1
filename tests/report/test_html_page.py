"""Page: one file that holds a run's figures and questions, and nothing that breaks it."""

import base64
import gzip
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from woven import LONG, ODD, RTL, TEXTS

from clew.errors import RunError, StoreError
from clew.evaluate.journal import read_records
from clew.report.html.entries import MOST, book
from clew.report.html.page import NAME, write_report
from clew.report.html.remembered import Recalled
from clew.stores.graph import GraphStore
from clew.stores.sqlite import SqliteGraph


@pytest.fixture
def graphs(woven: Path) -> Callable[[str], GraphStore]:
    return lambda conversation: SqliteGraph(woven, conversation, existing=True)


def told(path: Path) -> dict[str, Any]:
    """Unpack what a page holds."""
    packed = re.search(r'id="data">([^<]*)</script>', path.read_text(encoding="utf-8"))
    assert packed
    content: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    return content


def copied(run: Path, folder: Path) -> Path:
    """Copy a run but for its vectors, which are large and which no page asks for."""
    ignore = shutil.ignore_patterns("vectors")
    return Path(shutil.copytree(run, folder / "copy", ignore=ignore))


@pytest.fixture
def page(woven: Path, graphs: Callable[[str], GraphStore], tmp_path: Path) -> dict[str, Any]:
    return told(write_report(woven, graphs, tmp_path / "page.html"))


def entry(page: dict[str, Any], question: str) -> dict[str, Any]:
    found: dict[str, Any] = {e["id"]: e for e in page["book"]["entries"]}[question]
    return found


def test_a_page_is_written_into_the_folder_of_its_run(woven: Path, tmp_path: Path) -> None:
    folder = copied(woven, tmp_path)
    assert write_report(folder) == folder / NAME
    assert told(folder / NAME)["title"] == "tiny on talks"


def test_the_same_run_gives_the_same_page(
    woven: Path, graphs: Callable[[str], GraphStore], tmp_path: Path
) -> None:
    one, other = (write_report(woven, graphs, tmp_path / name) for name in ("a", "b"))
    assert one.read_bytes() == other.read_bytes()


def test_no_text_of_a_run_is_left_where_it_could_be_read_as_html(
    woven: Path, graphs: Callable[[str], GraphStore], tmp_path: Path
) -> None:
    written = write_report(woven, graphs, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "broken" not in written
    assert not re.search(r"\[\[[\w.]+\]\]", written)
    assert ODD in {
        line.removeprefix("Ana: ") for line in told(tmp_path / "page.html")["book"]["lines"]
    }


def test_half_an_emoji_is_shown_as_a_question_mark(woven: Path, tmp_path: Path) -> None:
    folder = copied(woven, tmp_path)
    journal = folder / "journal.jsonl"
    first, *rest = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    cut = json.dumps(json.loads(first) | {"answer": "Graz \ud83d!"}) + "\n"
    journal.write_text(cut + "".join(rest), encoding="utf-8")
    assert "Graz ?!" in {each["answer"] for each in told(write_report(folder))["book"]["entries"]}


def test_figures_are_in_percent_with_intervals_and_counts(page: dict[str, Any]) -> None:
    f1 = page["headline"][0]
    assert (f1["name"], f1["micro"]["n"]) == ("F1", 7)
    assert 0 <= f1["micro"]["low"] <= f1["micro"]["mean"] <= f1["micro"]["high"] <= 100
    recall = next(each for each in page["headline"] if each["name"] == "Evidence recall")
    assert recall["micro"]["n"] == 7
    assert [point["tokens"] for point in page["curve"]] == [250, 500, 1000, 2000]
    means = {each["name"]: [m["name"] for m in each["means"]] for each in page["categories"]}
    assert means["temporal"] == ["F1", "evidence recall"]
    assert means["adversarial"] == ["abstained"]
    titles = [grid["title"] for grid in page["grids"]]
    assert titles == ["Latency in milliseconds", "Language models", "Effects of the stages"]


def test_a_page_says_what_the_run_was_and_what_is_doubtful(page: dict[str, Any]) -> None:
    facts = dict(page["facts"])
    assert {"run", "commit", "configuration", "models", "status"} <= facts.keys()
    assert facts["questions"] == "8, 1 of them failed; 0 messages lost"
    assert "1 of 8 questions failed and count as 0; see journal.jsonl" in page["doubts"]
    assert ["system.note", ODD] in page["settings"]


def test_a_drawing_names_units_edges_and_paths_by_place(page: dict[str, Any]) -> None:
    drawing = entry(page, "t:0")["drawing"]
    nodes = [page["book"]["nodes"][n] for n in drawing["nodes"]]
    assert [page["book"]["lines"][node["text"]] for node in nodes] == [f"Ana: {t}" for t in TEXTS]
    assert [node["when"] for node in nodes][-2:] == ["11 March 2025, 12:00", "no date"]
    assert [node["at"] is None for node in nodes] == [False] * 6 + [True]
    assert drawing["roles"][3:6] == ["bridge", "neighbour", "fact"]
    assert drawing["gold"] == [0]
    assert 0 in drawing["packed"] and 3 not in drawing["packed"]
    steps = [[drawing["edges"][n] for n in path] for path in drawing["paths"]]
    assert steps == [[[0, 3, "BRIDGE"], [3, 4, "BRIDGE"]], [[0, 1, "SUPERSEDES"]]]
    assert drawing["rest"] == {"SHARED_ENTITY": 1, "TIME_NEAR": 1}


def test_each_gold_message_is_told_with_what_became_of_it(page: dict[str, Any]) -> None:
    fates = {g["id"]: g["fate"] for g in entry(page, "t:2")["evidence"]}
    assert fates == {"D1:4": "in the context", "D1:5": "not retrieved: unit D1:5.00"}
    fates = {g["id"]: g["fate"] for g in entry(page, "u:0")["evidence"]}
    assert fates["D9:9"] == "in no memory: the message was never taken up"
    long = entry(page, "t:6")["evidence"]
    assert page["book"]["lines"][long[0]["text"]] == "Ana: she lives in Graz"


def test_contexts_are_whole_and_lines_are_kept_once(page: dict[str, Any], woven: Path) -> None:
    pages = page["book"]
    for record in read_records(woven / "journal.jsonl"):
        place = entry(page, record.question)["context"]
        lines = [] if place is None else [pages["lines"][n] for n in pages["contexts"][place]]
        assert "\n".join(lines) == record.context
    assert len(set(pages["lines"])) == len(pages["lines"])
    assert {f"Ana: {LONG}", f"Ana: {RTL}"} <= set(pages["lines"])


def test_a_memory_that_is_gone_leaves_out_texts_and_is_told(woven: Path, tmp_path: Path) -> None:
    def gone(conversation: str) -> GraphStore:
        asked.append(conversation)
        raise StoreError("the server is gone")

    asked: list[str] = []
    page = told(write_report(woven, gone, tmp_path / "page.html"))
    assert "Texts and times are missing from t on: the server is gone" in page["doubts"]
    assert asked == ["t"]  # a server that is waited for once need not be waited for again
    drawing = entry(page, "t:0")["drawing"]
    assert page["book"]["nodes"][drawing["nodes"][0]]["text"] is None
    assert len(drawing["edges"]) == 3


def test_a_journal_from_before_there_were_graphs_shows_its_units(
    woven: Path, graphs: Callable[[str], GraphStore], tmp_path: Path
) -> None:
    folder = copied(woven, tmp_path)
    lines = (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [{k: v for k, v in json.loads(line).items() if k != "graph"} for line in lines]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "journal.jsonl").write_text(text, encoding="utf-8")
    page = told(write_report(folder, graphs))
    drawing = entry(page, "t:0")["drawing"]
    assert (set(drawing["roles"]), drawing["packed"]) == ({"unit"}, None)
    assert any("before evidence graphs were kept" in doubt for doubt in page["doubts"])


def test_of_very_many_units_the_first_are_drawn_and_all_gold_ones(woven: Path) -> None:
    record = read_records(woven / "journal.jsonl")[0]
    assert record.graph
    n = 3 * MOST
    graph = replace(
        record.graph,
        roles="t" * n,
        packed="1" * n,
        edges=((0, 1, "NEXT"), (1, n - 1, "NEXT"), (1, 2, "NEXT")),
        paths=((0, 1), (0, 2)),
    )
    many = replace(record, retrieved=tuple(f"u{i}" for i in range(n)), graph=graph)
    drawing = book([many], Recalled({})).entries[0].drawing
    assert (len(drawing.nodes), drawing.left) == (MOST, 2 * MOST)
    assert drawing.edges == ((0, 1, "NEXT"), (1, 2, "NEXT"))
    assert drawing.paths == ((0, 1),)


def test_a_page_that_cannot_be_written_says_where(woven: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"nowhere/page\.html cannot be written"):
        write_report(woven, None, tmp_path / "nowhere" / "page.html")
