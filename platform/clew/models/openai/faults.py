"""Faults: what went wrong with a request, whether it may pass, and which setting to change."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Any

import httpx2
import openai

from clew.errors import LlmError, LlmRefused, LlmTooLong, LlmUnavailable, LlmUnusable
from clew.models.openai.address import Address

GARBLED = 3  # tries for a reply that is none, where waiting would hardly help
_PASSING = (408, 409, 425, 429)
_LASTING = (501, 505)
_QUOTA = re.compile(r"(?i)insufficient.quota|exceeded your current quota|credit|billing|balance")
_LONG = re.compile(
    r"(?i)context.{0,20}(length|size|window)|maximum.{0,20}(context|tokens|length)"
    r"|too many (input )?tokens|(prompt|input|request) (is )?too (long|large)"
)


@dataclass(eq=False)
class Fault(Exception):
    """A request that came to nothing: `error` is what to raise when it is given up.

    `wait` is how long the server asked to be left alone, in seconds, and `tries` how often it
    is sent in all; None: as long as there is patience.
    """

    error: LlmError
    passes: bool = False
    wait: float | None = None
    tries: int | None = None
    status: int = 0
    reason: str = ""


class TooBig(httpx2.RequestError):
    """A reply is larger than it may be."""


def fault_of(error: Exception, address: Address, seconds: float, model: str) -> Fault:
    """Return what an exception of the client or its transport means."""
    cause: BaseException = error.__cause__ or error
    if isinstance(error, openai.APIStatusError):
        return _refusal(error, address, model)
    if isinstance(cause, TooBig):
        return Fault(
            LlmUnusable(
                f"A reply of {model} at {address} is larger than {address.largest} bytes: raise "
                f"{address.group}.largest_reply if it may be"
            )
        )
    if isinstance(error, openai.APITimeoutError | TimeoutError):
        return slow(address, seconds)
    reason = address.without_key(str(cause) or type(cause).__name__)
    return Fault(
        LlmUnavailable(
            f"{address} cannot be reached ({reason}): start it, or set {address.group}.base_url= "
            f"to where it runs"
        ),
        passes=isinstance(cause, httpx2.TransportError)
        and not isinstance(cause, httpx2.UnsupportedProtocol),
        reason="unreached" if isinstance(cause, httpx2.ConnectError) else reason,
    )


def slow(address: Address, seconds: float) -> Fault:
    """Return the fault of a reply that was not there in time."""
    return Fault(
        LlmUnavailable(
            f"{address} did not answer in {seconds:.3g} s: look after it, or raise "
            f"{address.group}.timeout and {address.group}.patience"
        ),
        passes=True,
        reason="no answer in time",
    )


def garbled(address: Address, what: str) -> Fault:
    """Return the fault of a reply that is none by the protocol."""
    reason = address.without_key(what)
    return Fault(
        LlmUnusable(
            f"What {address} answers is no reply ({reason}): if it never is, set "
            f"{address.group}.base_url= to a server that speaks OpenAI's protocol, as in …/v1"
        ),
        passes=True,
        tries=GARBLED,
        reason=reason,
    )


def _refusal(error: openai.APIStatusError, address: Address, model: str) -> Fault:
    status, reason = error.status_code, address.without_key(_reason(error))
    wait = retry_after(error.response.headers)
    told = f"status {status}" + (f", {reason}" if reason else "")
    if status == 402 or (status == 429 and _QUOTA.search(f"{error.code} {error.type} {reason}")):
        text = (
            f"{address} says that what was paid for is used up ({told}): add to it, or set "
            f"{address.group}.api_key_env= to a variable with another key"
        )
        return Fault(LlmRefused(text), status=status, reason=reason)
    if status in _PASSING or (status >= 500 and status not in _LASTING):
        text = f"{address} is not able to answer ({told}): look after it"
        return Fault(LlmUnavailable(text), True, wait, status=status, reason=told)
    if status == 413 or (status in (400, 422) and _LONG.search(f"{error.code} {reason}")):
        text = f"A request is too long for {model} at {address} ({told}): ask about less at a time"
        return Fault(LlmTooLong(text), status=status, reason=reason)
    return Fault(LlmRefused(_setting(status, told, address, model)), status=status, reason=reason)


def _setting(status: int, told: str, address: Address, model: str) -> str:
    """Say which setting a server that refuses would have changed."""
    group, name = address.group, address.api_key_env
    if status in (401, 403):
        if address.key:
            return f"{address} refused the key in the variable {name} ({told}): set it right"
        return (
            f"{address} asks for a key ({told}): put it into the environment variable "
            f"{name or f'that {group}.api_key_env= names'}"
        )
    if status == 404 and "model" in told.lower():
        return f"{address} has no model {model} ({told}): set {group}.model= to one it has"
    if status in (404, 405) or status < 400:
        return f"{address} speaks another protocol ({told}): set {group}.base_url=, as in …/v1"
    return f"{address} refused a request to {model} ({told}): see the settings of {group}"


def _reason(error: openai.APIStatusError) -> str:
    """Return what the server said."""
    body: Any = error.body
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        told = inner.get("message", inner.get("detail")) if isinstance(inner, Mapping) else inner
        return str(told or "")
    return error.response.text if "html" not in error.response.text[:200].lower() else ""


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds a server asks to be left alone, told in seconds or as a date."""
    told = headers.get("retry-after", "").strip()
    try:
        seconds = float(told)
    except ValueError:
        at = _date(told)
        now = _date(headers.get("date", "")) or datetime.now(UTC)  # by the server's own clock
        seconds = (at - now).total_seconds() if at else -1.0
    return seconds if isfinite(seconds) and seconds > 0 else None


def _date(told: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(told)
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
