"""The settings of models behind a server, and `llm=openai`, the chat model that they make."""

from dataclasses import KW_ONLY
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from clew.models.budget import Budget, within
from clew.models.cache import Source, cached
from clew.models.llm import Model
from clew.models.openai.address import Address
from clew.models.opening import Opened
from clew.stage import Count, checked

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Temperature = Annotated[float, Field(ge=0, le=2)]
Format = Literal["auto", "schema", "json", "none"]
Name = Annotated[str, Field(min_length=1)]


@checked
class Remote:
    """A model behind any server that speaks OpenAI's protocol.

    `api_key_env` names the environment variable that holds the key, which stands nowhere
    else; null where none is needed.
    """

    group: ClassVar[str]  # the path of these settings, which errors name

    _: KW_ONLY
    model: Name
    base_url: Name
    api_key_env: str | None = None
    key_in_clear: bool = False
    timeout: Seconds = 120.0
    connect_timeout: Seconds = 10.0
    patience: Seconds = 600.0
    largest_reply: Count = 2_000_000

    def check(self) -> None:
        """Tell whether the address or the key is missing, or would be seen by all."""
        self.address.check()

    @property
    def address(self) -> Address:
        """Where the server is, and how long and how much it may take."""
        return Address(
            self.group,
            self.base_url,
            self.api_key_env,
            self.key_in_clear,
            self.timeout,
            self.connect_timeout,
            self.patience,
            self.largest_reply,
        )


@checked
class Drawn(Opened):
    """How replies are drawn, in which form they are asked for, and where they are kept.

    `cache` is a file; null keeps nothing.
    """

    _: KW_ONLY
    temperature: Temperature | None = 0.0
    seed: int | None = 0
    format: Format = "auto"
    cache: str | None = "runs/llm.db"
    budget: Budget | None = None

    def kept(self, model: Source) -> Model:
        """Return a model behind its cache, what is not in there being paid from the budget."""
        return cached(within(model, self.budget), self.cache)


@checked
class OpenAi(Remote, Drawn):
    """A chat model behind a server, its replies kept in a file."""

    group: ClassVar[str] = "llm"

    _: KW_ONLY
    concurrency: Count = 8

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model

    def open(self) -> Model:
        """Return the model behind its cache."""
        from clew.models.openai.chat import Chat, Taste
        from clew.models.openai.endpoint import Endpoint

        endpoint = Endpoint(self.address, self.model)
        return self.kept(Chat(endpoint, Taste(self.temperature, self.seed), self.format))
