"""Every error that Clew raises on purpose, as one tree.

Each message says what happened, where, and which setting or file to change. Code
catches the leaves it can mend; the command line shows any of them without a traceback.
"""


class ClewError(Exception):
    """Anything that Clew itself found wrong; the text tells the remedy."""


class ConfigError(ClewError):
    """A setting is unknown, of a wrong type, out of range, or contradicts another."""


class DataError(ClewError):
    """An input file or message cannot be read as what it should be."""


class TimeError(DataError):
    """A date or time cannot be read, or an instant has no zone."""


class StoreError(ClewError):
    """A store cannot be opened, read or written."""


class StoreBusy(StoreError):
    """Another process holds the store."""


class StoreMissing(StoreError):
    """A graph that has to be there already is not, or holds nothing of the conversation."""


class VectorsMissing(StoreError):
    """Vectors that have to be there already are not; they can be made from the graph."""


class StoreMismatch(StoreError):
    """A store was written with another embedder, dimension or schema than asked for."""


class RunError(ClewError):
    """A run's folder, journal or manifest does not fit what is asked."""


class ServiceError(ClewError):
    """A server cannot be fetched, started, reached or stopped."""


class LlmError(ClewError):
    """A language model gave nothing that can be used; `retries` is how often it was sent again."""

    retries: int = 0


class LlmRefused(LlmError):
    """It will never answer as it is set: a wrong key, no such model, no quota. Nothing to mend."""


class LlmUnavailable(LlmError):
    """It could not be reached, or was not able to answer, for as long as `patience` allows."""


class LlmSpent(LlmError):
    """What may be paid for is used up: raise llm.budget, and the same command goes on."""


class LlmUnusable(LlmError):
    """It answered, also after being told what was wrong, with what cannot be used."""


class LlmTooLong(LlmError):
    """The request is longer than the model takes: ask about less at a time."""


class LlmCut(LlmTooLong):
    """The reply was cut off at its token limit: ask about less at a time."""


class LlmMissing(LlmError):
    """A recording has no reply to this request."""
