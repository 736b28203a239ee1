"""A connection to a Qdrant server: it waits out what passes, and tells what does not."""

import logging
import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlsplit

import httpx
import tenacity
from qdrant_client import QdrantClient
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from clew.addresses import here
from clew.errors import StoreError

log = logging.getLogger(__name__)

Result = TypeVar("Result")
LONGEST = 5.0  # seconds between two attempts
_PASSING = (408, 429, 500, 502, 503, 504)
_FULL = "no space left"
_REFUSED = (ResponseHandlingException, UnexpectedResponse, ResourceExhaustedResponse)
_answered: set[str] = set()  # servers that this process has talked to


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is, which environment variable holds its key, and how long to wait.

    `timeout` is of one request, `patience` of one that goes wrong and is sent again, both in
    seconds.
    """

    url: str
    key_env: str
    timeout: int
    patience: float

    @property
    def key(self) -> str | None:
        """The API key, or None."""
        return os.environ.get(self.key_env) or None if self.key_env else None

    @property
    def local(self) -> bool:
        """Whether the server is on this machine."""
        return here(self.url)

    def client(self) -> QdrantClient:
        """Return a client; nothing is sent before it is asked something."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Api key is used with an insecure connection")
            return QdrantClient(
                url=self.url,
                port=None if urlsplit(self.url).scheme == "https" else 6333,
                api_key=self.key,
                timeout=self.timeout,
                check_compatibility=False,  # space.py does it, and says what to change
                trust_env=not self.local,
            )


class Server:
    """A Qdrant server; every request may be sent twice, so all that are sent bear that."""

    def __init__(self, address: Address, client: QdrantClient | None = None) -> None:
        self._address = address
        self._client: QdrantClient | None = client or address.client()

    def __str__(self) -> str:
        return f"Qdrant at {self._address.url}"

    def ask(self, request: Callable[[QdrantClient], Result]) -> Result:
        """Send a request, again and again while what is wrong may pass.

        A server that was never reached is not waited for: its address may be wrong.

        Raises:
            StoreError: the server cannot be reached or refuses; it names the setting.
        """
        if self._client is None:
            raise StoreError(f"The vectors on {self} were closed: open them again.")
        attempts = tenacity.Retrying(
            stop=tenacity.stop_after_delay(self._address.patience),
            wait=_pause,
            retry=tenacity.retry_if_exception(self._passes),
            before_sleep=self._told,
            reraise=True,
        )
        try:
            answer = attempts(request, self._client)
        except _REFUSED as error:
            raise StoreError(self._explained(error)) from None
        _answered.add(self._address.url)
        return answer

    def close(self) -> None:
        """Let go of the connection; closing twice is closing once."""
        if self._client is not None:
            self._client.close()
        self._client = None

    def _passes(self, error: BaseException) -> bool:
        if isinstance(error, ResponseHandlingException):
            known = self._address.url in _answered
            return known and isinstance(error.source, httpx.TransportError)
        if isinstance(error, UnexpectedResponse):
            return error.status_code in _PASSING and _FULL not in _reason(error).lower()
        return isinstance(error, ResourceExhaustedResponse)

    def _told(self, state: tenacity.RetryCallState) -> None:
        if state.attempt_number == 1 and state.outcome is not None:
            reason = self._said(state.outcome.exception())
            log.warning("%s: %s; trying again for %g s", self, reason, self._address.patience)

    def _said(self, error: BaseException | None) -> str:
        """Return what is wrong in the words of the client or server, without the key."""
        reason = _reason(getattr(error, "source", error))
        return reason.replace(self._address.key, "***") if self._address.key else reason

    def _explained(self, error: Exception) -> str:
        """Say in one line what is wrong, and which setting or variable to change."""
        if isinstance(error, ResponseHandlingException):
            return self._unreached(error.source)
        reason = self._said(error)
        status = getattr(error, "status_code", 429)
        if status in (401, 403):
            return self._locked(reason)
        if status == 404 and "collection" not in reason.lower():
            return self._foreign(f"status 404, {reason}")
        if _FULL in reason.lower():
            return f"The disk of {self} is full ({reason}): make room there, then go on."
        if status in _PASSING:
            return (
                f"{self} is not able to serve (status {status}, {reason}), also after "
                f"{self._address.patience:g} s: look after it, or raise vectors.index.patience="
            )
        return f"{self} refused a request (status {status}): {reason}"

    def _unreached(self, source: Exception) -> str:
        known = self._address.url in _answered
        waited = f", also after {self._address.patience:g} s" * known
        if isinstance(source, httpx.TimeoutException):
            return (
                f"{self} did not answer in {self._address.timeout} s{waited}: look after it, or "
                f"raise vectors.index.timeout="
            )
        if isinstance(source, httpx.NetworkError) or known:
            return (
                f"{self} cannot be reached ({_reason(source)}){waited}: start it, or set "
                f"vectors.index.url= or the variable QDRANT_URL to where it runs; "
                f"vectors=edge needs no server"
            )
        return self._foreign(type(source).__name__)

    def _foreign(self, why: str) -> str:
        return (
            f"What answers at {self._address.url} is no Qdrant ({why}): set vectors.index.url= or "
            f"the variable QDRANT_URL to its address and port"
        )

    def _locked(self, reason: str) -> str:
        name = self._address.key_env
        if self._address.key:
            return f"{self} refused the API key in the variable {name} ({reason}): set it right"
        return (
            f"{self} asks for an API key ({reason}): put it into the environment variable "
            f"{name or 'that vectors.index.api_key_env= names'}"
        )


def _pause(state: tenacity.RetryCallState) -> float:
    """Wait as long as the server asks for, or twice as long each time."""
    error = state.outcome.exception() if state.outcome is not None else None
    asked = float(getattr(error, "retry_after_s", 0))
    return max(asked, min(LONGEST, 0.1 * 2.0 ** (state.attempt_number - 1)))


def _reason(error: object) -> str:
    """Return what the server said, on one line and not too long."""
    text = str(error) or type(error).__name__
    if isinstance(error, UnexpectedResponse):
        try:
            text = str(error.structured()["status"]["error"])
        except (ValueError, KeyError, TypeError):
            text = error.content.decode("utf-8", "replace") or str(error.reason_phrase)
    return " ".join(text.split())[:200]
