"""Noted: what is read from a reply of a model, and what of it is told to be lost."""

from agglomerated import event

from clew.stages.layers.noted import Layered


def test_lists_may_be_null_missing_or_hold_what_is_no_object() -> None:
    loose = {"facts": None, "events": ["none", event("E1", "It rained.", "a", after="e1; e2")]}
    read = Layered.model_validate(loose)
    (linked,) = read.items()
    assert [each.sentence for each in linked.after] == ["It rained."]
    assert linked.lost == 1


def test_the_example_of_the_prompt_is_json_of_the_asked_form() -> None:
    from clew.prompts import load

    text = load("mandol_layers")["system"]
    shown = Layered.model_validate_json(text[text.index('{"events"') : text.rindex("Answer with")])
    assert (len(shown.events), len(shown.facts), len(shown.tastes)) == (3, 2, 1)
    assert all(not each.lost for each in shown.items()[:3])
