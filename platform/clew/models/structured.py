"""Structured: a reply becomes a value of the shape that was asked for, or it is asked again.

A reply may be JSON, JSON with prose or fences around it, or JSON that is broken: what can be
mended is, and counted. What does not fit is told to the model. A reply that was cut off is
never mended, because mending would lose what was cut.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Literal, TypeVar

import json_repair
from pydantic import BaseModel, ValidationError

from clew.errors import LlmCut, LlmUnusable
from clew.models.llm import ASKED_AGAIN, REPAIRED, Ask, Llm, Pending, Reply
from clew.trace import count

How = Literal["clean", "repaired", "retried"]
Value = TypeVar("Value", bound=BaseModel)

_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_FENCE = re.compile(r"^[ \t]*```[ \t]*\w*[ \t]*\n(.*?)^[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE)
_OPENING = re.compile(r"\{\s*(?:[\"'}]|\w+\s*:)|\[\s*[\"'{\[\]]")  # of JSON, rather than of prose
_LONE = re.compile(  # halves of a character in UTF-16, which no store takes
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
_DECODER = json.JSONDecoder(strict=False)
_BROKEN = (ValueError, RecursionError)
_SHOWN = 4  # mistakes that a model is told of at once
_ECHOED = 4000  # characters of a bad reply that it is shown again


class Unfit(Exception):
    """A reply does not hold what was asked for; the text says why, as a model is told."""


def structured(
    llm: Llm,
    ask: Ask[Value],
    retries: int = 2,
    begun: Pending | None = None,
    check: Callable[[Value], str] | None = None,
) -> tuple[Value, How]:
    """Return what a model answers, in the shape of the ask, and how that was come by.

    `begun` is the first try, where it is on its way already. `check` says what is wrong with
    a value that has the right shape, or "".

    Raises:
        LlmCut: the reply was cut off; ask about less.
        LlmUnusable: also the last of 1 + `retries` replies was no good; it says why.
        LlmError: there was no reply.
    """
    pending = begun or llm.begin(ask)
    for tried in range(retries + 1):
        reply = pending.result()
        try:
            value, repaired = _checked(parsed(reply, ask), check)
        except Unfit as error:
            if tried == retries:
                raise LlmUnusable(_given_up(llm.name, ask.prompt, tried, error)) from None
            count(ASKED_AGAIN)
            ask = ask.again(reply.text[:_ECHOED], told(error))
            pending = llm.begin(ask)
        else:
            if repaired:
                count(REPAIRED)
            return value, "retried" if tried else "repaired" if repaired else "clean"
    raise AssertionError("a loop over no tries")


def _checked(got: tuple[Value, bool], check: Callable[[Value], str] | None) -> tuple[Value, bool]:
    if wrong := check(got[0]) if check else "":
        raise Unfit(wrong)
    return got


def parsed(reply: Reply, ask: Ask[Value]) -> tuple[Value, bool]:
    """Return the value that a reply holds, and whether its JSON had to be mended.

    Raises:
        LlmCut: the reply was cut off.
        Unfit: it holds no such value; the text says why.
    """
    assert ask.shape is not None, "an ask without a shape has no structure"
    text, wrong = _LONE.sub(r"\\ufffd", _THOUGHTS.sub("", reply.text)).strip(), ""
    for data in found(text):
        try:
            return _fitted(data, ask.shape), False
        except Unfit as error:
            wrong = wrong or str(error)
    if reply.finish == "length":
        raise LlmCut(
            f"A reply to {ask.prompt} was cut off at {ask.max_tokens} tokens: ask about less at "
            f"a time, or let it be longer"
        )
    return _mended(text, ask.shape, wrong), True


def found(text: str) -> Iterator[Any]:
    """Yield the JSON values of a text: all of it, what is fenced, or what stands amid prose."""
    for whole in (text, *_FENCE.findall(text)):
        with suppress(*_BROKEN):
            yield json.loads(whole, strict=False)
            return
    at = 0
    while opening := _OPENING.search(text, at):
        try:
            value, at = _DECODER.raw_decode(text, opening.start())
        except _BROKEN:
            return  # what is whole inside of something broken is only a part of it
        yield value


def _mended(text: str, shape: type[Value], wrong: str) -> Value:
    """Return the value that broken JSON was meant to be, or a bare list the only field of."""
    opening = _OPENING.search(text)
    if opening is None:
        raise Unfit(wrong or ("The reply holds no JSON." if text else "The reply is empty."))
    try:
        data = json_repair.loads(text[opening.start() :])
    except _BROKEN:
        raise Unfit("The JSON is broken.") from None
    if isinstance(data, list) and len(shape.model_fields) == 1:
        data = {next(iter(shape.model_fields)): data}
    try:
        return _fitted(data, shape)
    except Unfit as error:
        raise Unfit(wrong or f"The JSON is broken, and as far as read: {error}") from None


def _fitted(data: Any, shape: type[Value]) -> Value:
    """Return data as the value they are; data that set no field at all are something else."""
    try:
        value = shape.model_validate(data)
    except ValidationError as error:
        raise Unfit(mistakes(error)) from None
    if shape.model_fields and not value.model_fields_set:
        raise Unfit(f"The JSON has none of the fields {', '.join(shape.model_fields)}")
    return value


def mistakes(error: ValidationError) -> str:
    """Say which fields are wrong and how, each once."""
    told = []
    for each in error.errors(include_url=False, include_context=False):
        place = ".".join(map(str, each["loc"])) or "The JSON"
        told.append(f"{place}: {each['msg']}, got {_short(each['input'])}")
    more = [f"and {len(told) - _SHOWN} more"] if len(told) > _SHOWN else []
    return "; ".join(told[:_SHOWN] + more)


def told(error: Unfit) -> str:
    """Return what a model is told of a reply that would not do."""
    return f"That will not do: {error}\nAnswer again, with the whole JSON and nothing else."


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "replace").decode()
    return text if len(text) <= 80 else f"{text[:77]}..."


def _given_up(name: str, prompt: str, tried: int, error: Unfit) -> str:
    times = "once" if tried == 0 else f"{tried + 1} times"
    return f"{name}, asked {prompt} {times}, gave no reply that could be used: {error}"
