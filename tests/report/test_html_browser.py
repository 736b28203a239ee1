"""Page in a real browser: it opens, filters and draws, on a telephone and on a desk, offline."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from woven import ODD, RTL, TEXTS

from clew.evaluate.journal import read_records
from clew.report.html.page import page, rendered, write_report
from clew.report.tables import load_run
from clew.stores.sqlite import SqliteGraph

playwright = pytest.importorskip("playwright.sync_api")

pytestmark = pytest.mark.browser
SIZES = {"telephone": (390, 844), "desk": (1440, 900)}


@pytest.fixture(scope="module")
def chromium() -> Iterator["playwright.Browser"]:
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))))
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


class Reader:
    """A page opened in a window, with all that it asked for or complained about."""

    def __init__(self, browser: "playwright.Browser", file: Path, size: tuple[int, int]) -> None:
        self.faults: list[str] = []
        width, height = size
        self.context = browser.new_context(viewport={"width": width, "height": height})
        self.page = self.context.new_page()
        self.page.on("console", lambda said: self.faults.append(said.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda asked: self._asked(asked.url, file))
        self.page.goto(file.as_uri())
        self.page.locator("#questions .list > li").first.wait_for()

    def _asked(self, url: str, file: Path) -> None:
        if url != file.as_uri() and not url.startswith("data:"):
            self.faults.append(f"asked for {url}")

    def too_wide(self) -> bool:
        """Tell whether anything makes the whole page scroll sideways."""
        found: bool = self.page.evaluate(
            "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        )
        return found

    def open(self, question: str) -> "playwright.Locator":
        """Open a question; return its row."""
        row = self.page.locator("#questions .list > li").filter(has_text=f"· {question} ·")
        row.locator("> button").click()
        row.locator(".opened").wait_for()
        return row


@pytest.fixture(scope="module")
def file(woven: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp("pages") / "page.html"
    return write_report(woven, lambda name: SqliteGraph(woven, name, existing=True), to)


@pytest.fixture(params=SIZES.values(), ids=SIZES)
def reader(
    chromium: "playwright.Browser", file: Path, request: pytest.FixtureRequest
) -> Iterator[Reader]:
    reader = Reader(chromium, file, request.param)
    yield reader
    assert reader.faults == []
    assert not reader.too_wide()
    reader.context.close()


def test_the_overview_is_written_and_odd_texts_are_only_texts(reader: Reader) -> None:
    shown = reader.page
    assert shown.title() == "tiny on talks"
    assert shown.locator("#overview .card").count() == 6
    assert shown.locator("#overview svg polyline").count() == 2
    shown.locator("#settings summary").click()
    assert ODD in shown.locator("#settings").inner_text()
    reader.open("t:1")
    assert ODD in shown.locator(".opened").inner_text()


def test_words_category_conversation_and_list_narrow_the_questions(reader: Reader) -> None:
    shown = reader.page
    count = shown.get_by_role("status")
    assert count.inner_text() == "8 of 8 questions"
    shown.get_by_label("Words").fill("meet THEY")
    assert count.inner_text() == "2 of 8 questions"
    shown.get_by_label("Conversation").select_option("u")
    assert count.inner_text() == "1 of 8 questions"
    shown.get_by_label("Words").fill("zzz")
    assert count.inner_text() == "0 of 8 questions"
    shown.locator("#lists button").filter(has_text="all").last.click()  # the right ones
    assert count.inner_text() == "2 of 8 questions"
    assert shown.locator("#questions .list > li.right").count() == 2
    shown.get_by_label("Outcome").select_option("")
    shown.get_by_label("Category").select_option("5")
    assert count.inner_text() == "1 of 8 questions"


def test_a_graph_tells_units_apart_and_none_covers_another(reader: Reader) -> None:
    row = reader.open("t:0")
    nodes = row.locator(".graph .node")
    assert nodes.count() == len(TEXTS)
    shapes = row.locator(".graph .node .shape").evaluate_all(
        "all => all.map(s => [s.parentNode.classList[1], s.tagName + (s.getAttribute('d') ?? ''),"
        " getComputedStyle(s).stroke])"
    )
    look = {role: (shape, colour) for role, shape, colour in shapes}
    assert look.keys() == {"terminal", "bridge", "neighbour", "fact"}
    assert len({shape for shape, _ in look.values()}) == len({c for _, c in look.values()}) == 4
    boxes = [nodes.nth(n).locator(".shape").bounding_box() for n in range(nodes.count())]
    middles = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes if b]
    for n, (x, y) in enumerate(middles):
        assert all(abs(x - a) + abs(y - b) >= 22 for a, b in middles[:n])
    assert row.locator(".graph .star").count() == 1
    assert row.locator(".graph .link").count() == 3
    assert "no date" in (row.locator(".graph svg").first.text_content() or "")
    assert "not drawn: 1 shared entity, 1 time near" in row.locator(".legend").first.inner_text()


def test_a_unit_is_read_by_a_click_and_by_the_keyboard(reader: Reader) -> None:
    row = reader.open("t:0")
    told = row.locator(".told")
    row.locator(".graph .node.bridge").click()
    assert "oxen" in told.inner_text() and "#4, bridge" in told.inner_text()
    row.locator(".graph .node[tabindex='0']").focus()
    first = told.inner_text()
    reader.page.keyboard.press("ArrowRight")
    assert told.inner_text() != first
    reader.page.keyboard.press("ArrowLeft")
    assert told.inner_text() == first
    row.get_by_text("7 units by rank").click()
    row.locator(".units button").nth(1).click()
    assert RTL in told.inner_text()
    row.locator("> button").press("Enter")
    assert row.locator(".opened").count() == 0


def test_a_path_that_is_chosen_stands_out(reader: Reader) -> None:
    row = reader.open("t:0")
    path = row.locator(".chips button").first
    assert path.inner_text() == "#1 –bridge→ #4 –bridge→ #5"
    path.click()
    assert row.locator(".graph .link:has(.lit)").count() == 2
    assert row.locator(".graph .link:has(.dim)").count() == 1
    path.click()
    assert row.locator(".graph .lit, .graph .dim").count() == 0


def test_questions_that_failed_or_found_nothing_say_so(reader: Reader) -> None:
    assert "Nothing was retrieved" in reader.open("t:3").inner_text()
    assert "RuntimeError: boom" in reader.open("t:4").inner_text()


def test_of_two_thousand_questions_some_are_shown_and_all_are_searched(
    chromium: "playwright.Browser", woven: Path, tmp_path: Path
) -> None:
    record = read_records(woven / "journal.jsonl")[0]
    many = [replace(record, question=f"t:{n}", query=f"Which of n{n}?") for n in range(2000)]
    file = tmp_path / "many.html"
    file.write_text(rendered(page(load_run(woven), many)), encoding="utf-8")
    reader = Reader(chromium, file, SIZES["telephone"])
    shown = reader.page
    assert shown.locator("#questions .list > li").count() == 40
    shown.get_by_role("button", name="Show more").click()
    assert shown.locator("#questions .list > li").count() == 80
    shown.get_by_label("Words").fill("n1999?")
    assert shown.get_by_role("status").inner_text() == "1 of 2,000 questions"
    assert shown.locator("#questions .list > li").count() == 1
    reader.context.close()
    assert reader.faults == []


def test_in_a_frame_that_may_only_run_scripts_it_works_as_well(
    chromium: "playwright.Browser", file: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "viewer.html"
    html = file.read_text(encoding="utf-8").replace("&", "&amp;").replace('"', "&quot;")
    outside.write_text(f'<iframe sandbox="allow-scripts" srcdoc="{html}" width=800></iframe>')
    faults: list[str] = []
    shown = chromium.new_page()
    shown.on("console", lambda said: faults.append(said.text))
    shown.goto(outside.as_uri())
    inside = shown.frame_locator("iframe")
    inside.locator("#questions .list > li > button").first.click()
    inside.locator(".graph .node").first.wait_for()
    inside.get_by_label("Words").fill("wohnt")
    assert inside.get_by_role("status").inner_text() == "1 of 8 questions"
    shown.close()
    assert faults == []
