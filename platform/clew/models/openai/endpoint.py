"""Endpoint: one request to a server, sent again while what is wrong may pass.

This is the only layer that sends again. It waits as long as the server asks, or twice as long
each time, and gives up before `patience` is over. A try that hangs is left to a thread of its
own, so that whatever hangs there, a name server or a header that never ends, holds up nobody.
"""

import json
import logging
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from threading import Event, Lock, Thread
from typing import Any, TypeVar

import httpx2
import openai
import tenacity

from clew.errors import LlmUnavailable
from clew.models.openai.address import KEYLESS, Address
from clew.models.openai.faults import Fault, fault_of, garbled, slow
from clew.models.openai.transport import Bounded

log = logging.getLogger(__name__)

Result = TypeVar("Result")
Send = Callable[[openai.OpenAI, httpx2.Timeout], bytes]
Lacks = Callable[[Mapping[str, Any]], str]
SHORTEST, LONGEST = 0.5, 30.0  # seconds between two tries
GRACE = 0.3  # seconds that a try may take longer to notice by itself that time is up


class Endpoint:
    """A server that speaks OpenAI's protocol, and the model that it is asked for."""

    def __init__(self, address: Address, model: str) -> None:
        self.address, self.model = address, model
        self._open: openai.OpenAI | None = None
        self._opening = Lock()
        self._closed = Event()
        self._answered = False

    def ask(self, send: Send, lacks: Lacks) -> tuple[Mapping[str, Any], int]:
        """Return the JSON object that the server answers, and how often it was sent again.

        `lacks` says what an object lacks to be a reply, or "".

        Raises:
            Fault: it came to nothing, for as long as there was patience.
        """
        deadline = time.monotonic() + self.address.patience
        attempts = tenacity.Retrying(
            stop=tenacity.stop_any(
                tenacity.stop_before_delay(self.address.patience),
                tenacity.stop_when_event_set(self._closed),
                _TriedEnough(),
            ),
            wait=_pause,
            retry=tenacity.retry_if_exception(self._passes),
            sleep=tenacity.sleep_using_event(self._closed),
            before_sleep=self._told,
            reraise=True,
        )
        try:
            data = attempts(self._try, send, lacks, deadline)
        except Fault as fault:
            raise self._given_up(fault, attempts.statistics["attempt_number"] - 1) from None
        return data, attempts.statistics["attempt_number"] - 1

    def close(self) -> None:
        """Let go of the connections; what waits to be sent again is given up."""
        self._closed.set()
        with self._opening:
            if self._open is not None:
                self._open.close()

    @property
    def _client(self) -> openai.OpenAI:
        """The client, made by the first request: what is in a cache needs no key."""
        with self._opening:
            if self._open is None:
                self._open = connected(self.address)
            return self._open

    def _try(self, send: Send, lacks: Lacks, deadline: float) -> Mapping[str, Any]:
        if self._closed.is_set():
            raise Fault(LlmUnavailable(f"{self.address} was closed: open the run again."))
        address, client = self.address, self._client
        seconds = max(0.05, min(address.timeout, deadline - time.monotonic()))
        limits = httpx2.Timeout(seconds, connect=min(address.connect, seconds))
        try:
            body = bounded(lambda: send(client, limits), seconds + GRACE)
        except TimeoutError:
            raise slow(address, seconds) from None
        except (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL) as error:
            fault = fault_of(error, address, seconds, self.model)
            self._answered = self._answered or fault.status > 0
            raise fault from None
        self._answered = True
        data = _object(body, address)
        if what := lacks(data):
            raise garbled(address, what)
        return data

    def _passes(self, error: BaseException) -> bool:
        """Say whether to try again; a server that was never reached may be elsewhere."""
        if not isinstance(error, Fault) or not error.passes:
            return False
        return self._answered or error.reason != "unreached"

    def _told(self, state: tenacity.RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        if state.attempt_number == 1 and isinstance(error, Fault):
            log.info("%s: %s; trying again", self.address, error.reason)

    def _given_up(self, fault: Fault, retries: int) -> Fault:
        """Return the fault with what was tried in the error's text."""
        error, address = fault.error, self.address
        if fault.wait is not None and fault.wait >= address.patience:
            more = f", and asks to wait {fault.wait:g} s, more than {address.group}.patience"
        else:
            more = f", also after sending it {retries} times again" if retries else ""
        if isinstance(error, LlmUnavailable) and fault.passes and fault.status:
            more += f", or raise {address.group}.patience ({address.patience:g} s)"
        told = type(error)(f"{error}{more}")
        told.retries = retries
        return Fault(told, fault.passes, fault.wait, fault.tries, fault.status, fault.reason)


def connected(address: Address) -> openai.OpenAI:
    """Return a client that sends nothing again by itself, within the bounds of the address."""
    address.check()
    return openai.OpenAI(
        api_key=address.key or KEYLESS,
        base_url=address.base_url,
        max_retries=0,
        http_client=Bounded(address.largest, trust_env=not address.local),
    )


def bounded(work: Callable[[], Result], seconds: float) -> Result:
    """Return what `work` does, or leave it to its thread when it takes longer.

    Raises:
        TimeoutError: it took longer.
    """
    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, daemon=True, name="llm-try").start()
    return future.result(seconds)


def _object(body: bytes, address: Address) -> Mapping[str, Any]:
    """Return the JSON object that a body is."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise garbled(address, f"no JSON: {body[:80].decode(errors='replace')}") from None
    if not isinstance(data, dict):
        raise garbled(address, "JSON that is no object")
    if error := data.get("error"):
        raise garbled(address, str(error.get("message") if isinstance(error, dict) else error))
    return data


class _TriedEnough(tenacity.stop.stop_base):
    def __call__(self, state: tenacity.RetryCallState) -> bool:
        error = state.outcome.exception() if state.outcome else None
        tries = error.tries if isinstance(error, Fault) else None
        return tries is not None and state.attempt_number >= tries


def _pause(state: tenacity.RetryCallState) -> float:
    """Wait as long as the server asks for, or twice as long each time."""
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, Fault) and error.wait is not None:
        return error.wait
    return float(min(LONGEST, SHORTEST * 2.0 ** (state.attempt_number - 1)))
