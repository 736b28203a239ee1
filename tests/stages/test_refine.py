"""Refine: one score in [0, 1] for all, and what is noise by the median of its own source."""

import pytest
from layered import MakeUnit, of, scored

from clew.memory import Memory
from clew.model import Add, Edge, Graph, Message, Query
from clew.stages.refine import KeepAllHits, Mad, Mixed, Paired
from clew.trace import recording


def ask(text: str) -> Query:
    return Query(text, None, "talk")


@pytest.fixture
def graph(memory: Memory, unit: MakeUnit) -> Graph:
    texts = ["soup for supper", "The heron stood by the pond", "the pond froze"]
    units = [unit(n, text) for n, text in enumerate(texts)]
    for each in units:
        memory.apply(Add(each))
    return Graph(scored(*((each, 0.1) for each in units)))


def test_a_mix_puts_what_shares_meaning_and_words_first(memory: Memory, graph: Graph) -> None:
    found = Mixed()(ask("heron pond"), graph, memory).nodes
    assert [s.unit.position for s in found] == [1, 2, 0]
    assert 1 >= found[0].score > found[1].score > found[2].score == 0
    assert found[0].lexical == 1.0


def test_weights_count_by_their_share_of_the_sum(memory: Memory, graph: Graph) -> None:
    by_words = Mixed(text=0, context=0, lexical=0.2)(ask("heron pond"), graph, memory)
    assert by_words.nodes[0].score == 1.0
    assert Mixed(text=0, context=0, lexical=0)(ask("heron"), graph, memory).nodes[0].score == 0


def test_who_is_not_asked_about_counts_for_less(memory: Memory, unit: MakeUnit) -> None:
    said = [
        Message(f"D1:{n}", "talk", "1", n, who, "x", None) for n, who in enumerate(["Ana", "Bo"])
    ]
    units = [unit(n, "I juggle red balls", speaker=who) for n, who in enumerate(["Ana", "Bo"])]
    memory.ingest(said, [Add(each) for each in units])
    graph = Graph(scored((units[0], 0.9), (units[1], 0.1)))
    first, second = Mixed()(ask("What does Bo juggle?"), graph, memory).nodes
    assert (first.unit.speaker, second.unit.speaker) == ("Bo", "Ana")
    assert second.score == pytest.approx(0.7 * first.score)


def test_an_empty_question_scores_everything_zero(memory: Memory, graph: Graph) -> None:
    assert {s.score for s in Mixed()(ask(""), graph, memory).nodes} == {0.0}


def test_a_cross_encoder_reads_question_and_text_together(memory: Memory, graph: Graph) -> None:
    class Lengths:
        name = "lengths"

        def __call__(self, question: str, texts: list[str]) -> list[float]:
            return [len(text) / 100 for text in texts]

    found = Paired(model=Lengths())(ask("pond"), graph, memory).nodes
    assert [s.unit.position for s in found] == [1, 0, 2]
    assert Paired(model=Lengths())(ask("pond"), Graph(), memory).nodes == ()


def test_the_papers_example_of_a_threshold() -> None:
    scores = [0.7, 0.7, 0.8, 0.9, 0.9]  # median 0.8, MAD 0.1
    assert Mad(kappa=2.5).threshold(scores) == pytest.approx(0.55)


def test_scores_that_are_mostly_alike_give_no_threshold() -> None:
    assert Mad().threshold([0.8, 0.8, 0.8, 0.1]) == float("-inf")


def test_each_source_is_held_to_its_own_scores(unit: MakeUnit) -> None:
    basic = [(unit(n, "x"), score) for n, score in enumerate([0.9, 0.85, 0.8, 0.1])]
    events = [
        (unit(n, "x", **of("episodic")), score) for n, score in enumerate([0.12, 0.1, 0.09], 9)
    ]
    edge = Edge(basic[0][0].id, basic[3][0].id, "NEXT")
    with recording() as trace:
        kept = Mad()(Graph(scored(*basic, *events), (edge,)))
    assert [s.unit.position for s in kept.nodes] == [0, 1, 2, 9, 10, 11]
    assert kept.edges == ()
    assert [(d.node.unit.position, d.reason, d.kept) for d in kept.dropped] == [
        (3, "LOW_SCORE", "")
    ]
    assert trace.counts["denoise.dropped"] == 1


def test_without_denoising_the_graph_stays_as_it_is(graph: Graph) -> None:
    assert KeepAllHits()(graph) is graph
    assert Mad()(Graph()) == Graph()
