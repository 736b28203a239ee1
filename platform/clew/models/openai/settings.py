"""OpenAi: the settings of `llm=openai`, and the model that they make."""

from typing import Annotated, Literal

from pydantic import Field

from clew.models.cache import cached
from clew.models.llm import Model
from clew.models.openai.address import Address
from clew.models.opening import Opened
from clew.stage import Count, checked

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Temperature = Annotated[float, Field(ge=0, le=2)]
Format = Literal["auto", "schema", "json", "none"]
Name = Annotated[str, Field(min_length=1)]


@checked
class OpenAi(Opened):
    """A chat model behind any server that speaks OpenAI's protocol, its replies kept in a file.

    `api_key_env` names the environment variable that holds the key, which stands nowhere
    else; null where none is needed. `cache` is the file; null keeps nothing.
    """

    model: Name
    base_url: Name
    api_key_env: str | None = None
    temperature: Temperature | None = 0.0
    seed: int | None = 0
    format: Format = "auto"
    concurrency: Count = 8
    timeout: Seconds = 120.0
    connect_timeout: Seconds = 10.0
    patience: Seconds = 600.0
    largest_reply: Count = 2_000_000
    cache: str | None = "runs/llm.db"

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model

    def check(self) -> None:
        """Tell whether the address or the key is missing."""
        self._address.check()

    def open(self) -> Model:
        """Return the model behind its cache."""
        from clew.models.openai.chat import Chat, Taste
        from clew.models.openai.endpoint import Endpoint

        endpoint = Endpoint(self._address, self.model)
        return cached(Chat(endpoint, Taste(self.temperature, self.seed), self.format), self.cache)

    @property
    def _address(self) -> Address:
        return Address(
            "llm",
            self.base_url,
            self.api_key_env,
            self.timeout,
            self.connect_timeout,
            self.patience,
            self.largest_reply,
        )
