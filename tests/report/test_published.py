"""Published numbers: what papers print, whole, and consistent with itself where papers are."""

from collections import defaultdict
from itertools import product

import pytest

from clew.errors import RunError
from clew.report.paper.known import TABLES
from clew.report.paper.made import make
from clew.report.published import Printed, published, published_tables

ROUNDING = 0.0051


def by_row(name: str) -> dict[tuple[str, str, str], list[Printed]]:
    rows = defaultdict(list)
    for cell in published(name):
        rows[cell.system, cell.configuration, cell.backbone].append(cell)
    return dict(rows)


def number(cells: list[Printed], metric: str, category: str = "") -> float | None:
    found = [c.value for c in cells if (c.metric, c.category) == (metric, category)]
    assert len(found) < 2
    return found[0] if found else None


@pytest.mark.parametrize(
    ("table", "metric", "rows"), [(1, "f1", 27), (1, "bleu1", 27), (3, "f1", 5)]
)
def test_the_average_that_is_printed_is_the_plain_mean_of_the_four_categories(
    table: int, metric: str, rows: int
) -> None:
    averages = 0
    for cells in by_row(f"ariadne_{table}").values():
        four = [number(cells, metric, category) for category in "1234"]
        assert None not in four
        mean = sum(value for value in four if value is not None) / 4
        assert number(cells, f"average_{metric}") == pytest.approx(mean, abs=ROUNDING)
        averages += 1
    assert averages == rows


def test_the_default_depths_and_the_full_system_are_the_same_number_in_every_table() -> None:
    averages = {c.configuration: c.value for c in published("ariadne_4") if "average" in c.metric}
    main = number(by_row("ariadne_1")["AriadneMem", "", "GPT-4o"], "average_f1")
    full = number(by_row("ariadne_3")["AriadneMem", "Full AriadneMem", "GPT-4o"], "average_f1")
    assert averages["k_sem=20"] == averages["k_lex=5"] == main == full == 42.57


def test_times_add_up_but_for_one_slip_of_the_paper() -> None:
    slips = []
    for (system, _, backbone), cells in by_row("ariadne_2").items():
        parts = [number(cells, metric) for metric in ("construction", "retrieval", "total")]
        build, search, total = (part for part in parts if part is not None)
        if abs(build + search - total) > 0.05:
            slips.append((system, backbone))
    assert slips == [("LightMem", "GPT-4.1-mini")]


def test_the_points_of_figure_1_are_rows_of_table_2() -> None:
    rows, points = by_row("ariadne_2"), by_row("ariadne_figure_1")
    assert len(points) == 5
    for key, metric in product(points, ("total", "average_f1")):
        assert number(points[key], metric) == number(rows[key], metric)


def test_simplemem_has_the_same_numbers_in_its_own_paper() -> None:
    theirs = by_row("simplemem_1")["SimpleMem", "", "GPT-4.1-mini"]
    ours = by_row("ariadne_1")["SimpleMem", "", "GPT-4.1-mini"]
    for metric, category in product(("f1", "bleu1"), "1234"):
        assert number(theirs, metric, category) == number(ours, metric, category) is not None


def test_every_number_says_where_it_is_from() -> None:
    names = published_tables()
    assert {"ariadne_1", "ariadne_2", "ariadne_3", "ariadne_4", "simplemem_1"} <= set(names)
    for name in names:
        assert published(name)
        assert all(cell.source and cell.metric and cell.unit for cell in published(name))


@pytest.mark.parametrize("name", sorted(name for name, table in TABLES.items() if table.published))
def test_every_row_and_column_that_a_table_says_is_printed_is_printed(name: str) -> None:
    table = TABLES[name]
    lines = {line.title: line.values for line in make(table, []).lines}
    for row, column in product(table.rows, table.columns):
        if row.printed and column.printed and row.title != table.base:
            assert column in lines[row.title], (row.title, column.heading)


def test_every_printed_number_of_a_table_stands_in_it_once() -> None:
    lines = make(TABLES["ariadne_1"], []).lines
    values = [value.mean for line in lines for value in line.values.values()]
    assert sorted(values) == sorted(cell.value for cell in published("ariadne_1"))


def test_an_unknown_table_lists_those_that_there_are() -> None:
    with pytest.raises(RunError, match=r"no such published table; there are .*ariadne_1"):
        published("ariadne_9")
