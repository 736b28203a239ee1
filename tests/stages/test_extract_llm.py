"""Extraction by a model: what it gets right is kept, and what it gets wrong loses nothing."""

import json
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for talking, beside the tests

from talking import Once, note, opened

from clew.errors import LlmRefused, LlmSpent, LlmUnavailable, LlmUnusable
from clew.memory import Memory
from clew.model import Drop, Fact, Message
from clew.models.llm import Ask, Reply, Turn
from clew.stages.extract import Told
from clew.stages.extract_llm import LlmExtract
from clew.stages.gate import KeepAll, NearRepeat
from clew.stages.inquire import shown
from clew.stages.released.extract import LlmByDay
from clew.stages.windows import ByCount
from clew.stages.write import AddAll, ConflictAware
from clew.trace import recording

AT = datetime(2031, 3, 4, 18, 5, tzinfo=UTC)  # a Tuesday
TALK = (
    ("Ulla", "What came of your ferry trip to Sandvik?"),
    ("Benno", "Went there last Friday with my cousin Imke. I bought two brass lamps!"),
    ("Benno", "By the way, I work as a baker now."),
    ("Ulla", "Wonderful."),
)


def said(*talk: tuple[str, str]) -> tuple[Message, ...]:
    return tuple(
        Message(f"s1.{n}", "talk", "s1", n, who, text, AT + timedelta(seconds=n))
        for n, (who, text) in enumerate(talk)
    )


WINDOW = said(*TALK)
GOOD = {
    "units": [
        note(
            "Benno went to Sandvik by ferry last Friday with his cousin Imke.",
            "s1.0",
            "s1.1",
            keywords=["ferry trip"],
            persons=["Benno", "Imke"],
            entities=["ferry"],
            place="Sandvik",
            time="last Friday",
            date="1999-01-01",
        ),
        note("Benno bought two brass lamps.", "s1.1", persons=["Benno"], entities=["brass lamps"]),
        note(
            "Benno works as a baker now.",
            "s1.2",
            persons=["Benno"],
            attributes=[
                {"subject": "Benno", "property": "Works as", "value": "baker", "single": False}
            ],
        ),
        note("Ulla finds that wonderful.", "s1.3", persons=["Ulla"]),
    ]
}


def extracted(
    folder: Path, *replies: Any, stage: LlmExtract | None = None, window: Any = WINDOW
) -> tuple[Told, Any]:
    memory, model = opened(folder, Once(*replies))
    told = (stage or LlmExtract())(window, memory)
    memory.llm.close()
    memory.close()
    assert told.how is not None
    return told, model


def evidence(told: Told) -> set[str]:
    return {each.message for unit in told for each in unit.evidence}


def figures(told: Told) -> tuple[str, dict[str, int]]:
    assert told.how is not None
    return told.how.outcome, dict(told.how.figures)


def test_a_good_reply_is_accepted_and_its_notes_are_units(tmp_path: Path) -> None:
    told, model = extracted(tmp_path, GOOD)
    assert figures(told) == ("accepted", {})
    assert [unit.id for unit in told] == ["s1.1.00", "s1.1.01", "s1.2.00", "s1.3.00"]
    trip = told[0]
    assert [each.message for each in trip.evidence] == ["s1.0", "s1.1"]
    assert trip.speaker == "Benno"
    assert trip.said_at == WINDOW[1].said_at
    assert {"benno", "imke", "sandvik", "ferry"} <= trip.entities
    assert "ferri" in trip.keywords
    assert "two brass lamps!" in trip.context
    assert len(model.asked) == 1


def test_when_it_was_is_worked_out_from_the_words_and_not_believed(tmp_path: Path) -> None:
    told, _ = extracted(tmp_path, GOOD)
    assert told[0].event.start == datetime(2031, 2, 28, tzinfo=UTC)
    assert told[0].text == (
        "Benno went to Sandvik by ferry last Friday (28 February 2031) with his cousin Imke."
    )


@pytest.mark.parametrize("more", [{"date": "2029-05-06"}, {"time": "in May 2029"}])
def test_a_time_that_no_message_names_is_refused_and_counted(
    tmp_path: Path, more: dict[str, str]
) -> None:
    notes = [note("Benno works as a baker.", "s1.2", **more), *GOOD["units"]]
    told, _ = extracted(tmp_path, {"units": notes})
    baker = next(unit for unit in told if unit.text == "Benno works as a baker.")
    assert baker.event.start is None
    assert figures(told) == ("accepted", {"times": 1})


def test_a_date_that_a_message_bears_out_chooses_its_words(tmp_path: Path) -> None:
    notes = [note("Benno went to Sandvik.", "s1.1", date="2031-02-28"), *GOOD["units"]]
    told, _ = extracted(tmp_path, {"units": notes})
    trip = next(unit for unit in told if unit.text.startswith("Benno went to Sandvik. ("))
    assert trip.event.phrase == "last Friday"


def test_an_attribute_is_a_slot_and_a_new_value_ends_the_old(tmp_path: Path) -> None:
    later = note(
        "Benno works as a sailor.", "s2.9", persons=["Benno"],
        attributes=[{"subject": "Benno", "property": "works as", "value": "sailor"}],
    )  # fmt: skip
    memory, _ = opened(tmp_path, Once(GOOD, {"units": [later]}))
    again = Message("s2.9", "talk", "s2", 9, "Benno", "Now a sailor!", AT + timedelta(days=9))
    for window in (WINDOW, (again,)):
        told = LlmExtract()(window, memory)
        memory.ingest(window, (ConflictAware()(unit, memory) for unit in told), told.how)
    assert told[0].facts == (Fact("benno", "works as", "sailor", functional=True),)
    assert memory.graph.views(["s1.2.00"])["s1.2.00"].valid_to == again.said_at
    memory.close()


def test_what_no_note_cites_is_kept_by_rule_and_counted(tmp_path: Path) -> None:
    part = {"units": GOOD["units"][:1]}
    told, _ = extracted(tmp_path, part)
    assert figures(told) == ("accepted", {"uncited": 2})
    assert evidence(told) == {message.id for message in WINDOW}
    assert told[1].text == "Benno: By the way, I work as a baker now."
    assert "Ulla: Wonderful." in told[1].context
    told, _ = extracted(tmp_path / "2", part, stage=LlmExtract(uncited=False))
    assert figures(told) == ("accepted", {"uncited": 2})
    assert evidence(told) == {"s1.0", "s1.1"}


GIVEN_UP = {
    "empty": "",
    "no JSON": "I am sorry, Dave.",
    "half": '{"units": [{"sentence": "Benno',
    "shape": {"units": [{"sentence": None, "sources": ["s1.1"]}]},
    "types": {"units": "none at all"},
    "no notes": {"units": []},
    "other": {"weather": "fine"},
}


@pytest.mark.parametrize("bad", GIVEN_UP.values(), ids=GIVEN_UP.keys())
def test_a_reply_that_will_not_do_is_asked_for_again_with_what_is_wrong(
    tmp_path: Path, bad: Any
) -> None:
    told, model = extracted(tmp_path, bad, GOOD)
    assert figures(told) == ("repaired", {"retried": 1})
    assert len(told) == 4
    assert [type(turn) for turn in model.asked[1].turns][-1] is Turn
    assert "That will not do" in model.asked[1].turns[-1].text


@pytest.mark.parametrize("bad", GIVEN_UP.values(), ids=GIVEN_UP.keys())
def test_a_window_that_no_reply_reads_goes_by_rule_and_loses_nothing(
    tmp_path: Path, bad: Any
) -> None:
    told, model = extracted(tmp_path, bad, stage=LlmExtract(retries=1))
    assert figures(told) == ("fell_back", {"by_rule": 4})
    assert told.how is not None and "asked ariadne_extract 2 times" in told.how.reason
    assert evidence(told) == {message.id for message in WINDOW}
    assert len(model.asked) == 2


@pytest.mark.parametrize("attributes", [5, "none", ["none"], None, True])
def test_attributes_that_are_none_cost_no_note(tmp_path: Path, attributes: Any) -> None:
    first, *rest = GOOD["units"]
    told, _ = extracted(tmp_path, {"units": [{**first, "attributes": attributes}, *rest]})
    assert figures(told) == ("accepted", {})


def test_a_window_may_tell_nothing_where_the_model_decides_what_is_kept(tmp_path: Path) -> None:
    selective = LlmExtract(silent=True, uncited=False)
    told, model = extracted(tmp_path, {"units": []}, stage=selective)
    assert (list(told), len(model.asked)) == ([], 1)
    assert figures(told) == ("accepted", {"uncited": 4})


def test_half_of_json_with_everything_in_it_is_mended(tmp_path: Path) -> None:
    told, _ = extracted(tmp_path, "Here you are:\n```json\n" + json.dumps(GOOD)[:-2])
    assert figures(told) == ("repaired", {"repaired": 1})
    assert len(told) == 4


def test_invented_citations_are_told_and_then_left_out(tmp_path: Path) -> None:
    notes = [*GOOD["units"], note("Benno is rich.", "s9.9"), note("It was so.", "s1.1", "D1:1")]
    told, model = extracted(tmp_path, {"units": notes}, GOOD)
    assert figures(told) == ("repaired", {"retried": 1})
    assert "there is no message D1:1, s9.9: cite only s1.0" in model.asked[1].turns[-1].text
    told, model = extracted(tmp_path / "2", {"units": notes})
    assert figures(told) == ("repaired", {"citations": 2, "refused": 1, "retried": 1})
    assert len(model.asked) == 3
    assert "Benno is rich." not in {unit.text for unit in told}
    assert "It was so." in {unit.text for unit in told}


def test_the_form_of_a_citation_does_not_matter(tmp_path: Path) -> None:
    notes = [{**each, "sources": f"[{'], ['.join(each['sources'])}]"} for each in GOOD["units"]]
    told, _ = extracted(tmp_path, {"units": notes})
    assert figures(told) == ("accepted", {})


def test_a_window_too_large_for_a_reply_is_halved_until_it_fits(tmp_path: Path) -> None:
    def says(ask: Ask) -> Any:
        ids = [line.partition("]")[0][1:] for line in ask.user.splitlines() if line[0] == "["]
        if len(ids) > 1:
            return Reply('{"units": [{"sentence": "Benno', finish="length")
        return {"units": [note(f"Said in {ids[0]}.", ids[0])]}

    memory, model = opened(tmp_path, says)
    told = LlmExtract()(WINDOW, memory)
    assert figures(told) == ("repaired", {"split": 3})
    assert [unit.text for unit in told] == [f"Said in s1.{n}." for n in range(4)]
    assert len(model.asked) == 7
    told = LlmExtract(splits=1)(WINDOW, memory)
    assert figures(told) == ("fell_back", {"by_rule": 4, "split": 1})
    memory.close()


@pytest.mark.parametrize("error", [LlmUnavailable("gone"), LlmRefused("no such key")])
def test_a_model_that_cannot_be_asked_stops_the_run_unless_rules_may_take_over(
    tmp_path: Path, error: Exception
) -> None:
    with pytest.raises(type(error)):
        extracted(tmp_path / "1", error)
    told, _ = extracted(tmp_path / "2", error, stage=LlmExtract(by_rule="always"))
    assert figures(told) == ("fell_back", {"by_rule": 4})
    assert told.how is not None and told.how.reason == str(error)


def test_a_budget_that_is_used_up_stops_the_run_whatever_rules_may_take_over(
    tmp_path: Path,
) -> None:
    with pytest.raises(LlmSpent):
        extracted(tmp_path, LlmSpent("all of it"), stage=LlmExtract(by_rule="always"))


def test_where_rules_may_not_take_over_an_unusable_reply_stops_the_run(tmp_path: Path) -> None:
    with pytest.raises(LlmUnusable):
        extracted(tmp_path, "", stage=LlmExtract(by_rule="never"))


def test_a_model_sees_when_each_message_was_said_with_day_and_offset() -> None:
    zone = datetime.fromisoformat("2031-03-04T18:05:00+02:00")
    messages = (Message("a", "t", "1", 0, "Ulla", "one\ntwo", zone, caption="a boat"),)
    assert shown(messages) == (
        "# Tuesday, 4 March 2031, 18:05 +0200\n[a] Ulla: one two [image: a boat]"
    )
    assert shown((Message("a", "t", "1", 0, "Ulla", "x", None),)).startswith("# at an unknown time")


# --- asking ahead

LONG = said(
    *(
        (f"{'UB'[n % 2]}lla", f"Story {n % 80} of the kiln and of lamp {n % 80}.")
        for n in range(110)
    )
)


def echo(ask: Ask) -> Any:
    rows = [line[1:].partition("] ") for line in ask.user.splitlines() if line[0] == "["]
    return {"units": [note(text.partition(": ")[2], id) for id, _, text in rows]}


def some(message: Message, memory: Memory) -> bool:
    """Drop every message whose number ends in 7."""
    if message.position % 10 == 7:
        memory.apply(Drop(message, "s1.0.00", 1.0))
        return False
    return True


def remember(folder: Path, gate: Any, concurrency: int, ahead: int) -> tuple[Any, Any, Any]:
    def pause(ask: Ask) -> float:
        return 0.002 * (hash(ask.user) % 7)

    memory, model = opened(folder, echo, concurrency, pause=pause)
    extract, write = LlmExtract(ahead=ahead), AddAll()
    with recording() as trace:
        kept = (m for m in memory.ahead(LONG) if gate(m, memory))
        for window in ByCount(size=10)(kept):
            units = extract(window, memory)
            memory.ingest(window, (write(unit, memory) for unit in units), units.how)
        memory.settle()
    left = (list(memory.graph.units()), memory.graph.ledger(), memory.graph.stamps())
    assert memory.graph.processed() == {message.id for message in LONG}
    spent = memory.llm.spent
    memory.llm.close()
    memory.close()
    assert trace.counts["llm.calls"] == spent.calls  # also of what was asked for nothing
    return left, model, trace


@pytest.fixture(scope="module")
def one_by_one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    gates = {"all": KeepAll(), "some": some, "near": NearRepeat(likeness=0.85)}
    yield {
        name: (gate, remember(tmp_path_factory.mktemp(name), gate, 1, 0)[0])
        for name, gate in gates.items()
    }


@pytest.mark.parametrize("gate", ["all", "some", "near"])
@pytest.mark.parametrize("concurrency", [1, 4, 16])
def test_the_memory_is_the_same_however_many_windows_are_asked_for_at_once(
    tmp_path: Path, one_by_one: dict[str, Any], gate: str, concurrency: int
) -> None:
    keeps, expected = one_by_one[gate]
    left, _, _ = remember(tmp_path, keeps, concurrency, 16)
    assert left == expected
    dropped = sum(entry.op == "DROP" for entry in left[1])
    assert dropped == {"all": 0, "some": 11, "near": 50}[gate]


def test_where_the_gate_keeps_everything_nothing_is_asked_for_in_vain(tmp_path: Path) -> None:
    _, model, trace = remember(tmp_path, KeepAll(), 16, 16)
    assert len(model.asked) == 11
    assert trace.counts["llm.wasted"] == 0


def test_wrong_guesses_are_counted_and_soon_given_up(tmp_path: Path) -> None:
    _, model, trace = remember(tmp_path, some, 2, 16)
    assert trace.counts["llm.wasted"] > 0
    windows = 10
    assert len(model.asked) < 3 * windows


def test_windows_are_asked_for_while_the_first_is_waited_for(tmp_path: Path) -> None:
    gate = threading.Barrier(8, timeout=20)

    def together(ask: Ask) -> Any:
        if int(ask.user.split("[s1.")[1].split("]")[0]) < 80:
            gate.wait()  # none goes on until eight windows have been asked for
        return echo(ask)

    memory, _ = opened(tmp_path, together, 8)
    for window in ByCount(size=10)(memory.ahead(LONG)):
        LlmExtract()(window, memory)
    memory.llm.close()
    memory.close()


def test_notes_may_be_stamped_with_days_as_the_released_code_does(tmp_path: Path) -> None:
    plain, _ = extracted(tmp_path / "plain", GOOD)
    days, _ = extracted(tmp_path / "days", GOOD, stage=LlmByDay())
    assert {unit.said_at for unit in days} == {datetime(2031, 3, 4, tzinfo=UTC)}
    assert [unit.text for unit in days] == [unit.text for unit in plain]
    assert days[0].event == plain[0].event
    assert figures(days) == ("accepted", {"stamped": 4})
    assert figures(plain) == ("accepted", {})
