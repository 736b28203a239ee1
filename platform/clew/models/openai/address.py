"""Where a server is, which variable holds its key, and how long and how much it may take."""

import os
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from clew.addresses import check_address, check_in_clear, here
from clew.errors import ConfigError

KEYLESS = "none"  # what is sent as a key where none is needed
_KEY = re.compile(r"\bsk-[\w*.-]+")


@dataclass(frozen=True, slots=True)
class Address:
    """A server and its bounds; `group` is the path of these settings, which errors name.

    `timeout` is of one try from connecting to the last byte, `connect` of connecting alone,
    `patience` of all tries for one request together, in seconds; `largest` is of one reply,
    in bytes. `key_in_clear` allows to send the key over plain HTTP to another machine.
    """

    group: str
    base_url: str
    api_key_env: str | None
    key_in_clear: bool
    timeout: float
    connect: float
    patience: float
    largest: int

    def __str__(self) -> str:
        """Return the address without a login that it may hold."""
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"

    @property
    def local(self) -> bool:
        """Whether the server is on this machine."""
        return here(self.base_url)

    @property
    def key(self) -> str:
        """The API key, or ""."""
        return os.environ.get(self.api_key_env, "").strip() if self.api_key_env else ""

    def check(self) -> None:
        """Tell what is wrong before anything is sent.

        Raises:
            ConfigError: the address is none or tells a secret, the variable that is to hold the
                key is empty, or the key would be seen by all.
        """
        setting, key_setting = f"{self.group}.base_url", f"{self.group}.api_key_env"
        check_address(self.base_url, setting, "http://127.0.0.1:8080/v1", key_setting)
        if self.key and not self.key_in_clear:
            allowing = f"{self.group}.key_in_clear"
            check_in_clear(self.base_url, setting, str(self.api_key_env), allowing)
        if self.api_key_env and not self.key and not self.local:
            raise ConfigError(
                f"{self.group}.api_key_env: the environment variable {self.api_key_env} holds no "
                f"key for {self}: put it there, or set {self.group}.api_key_env=null if none is "
                f"needed"
            )
        if not self.key.isascii() or len(self.key.split()) > 1:
            raise ConfigError(
                f"{self.group}.api_key_env: what the environment variable {self.api_key_env} "
                f"holds is no key: it has spaces or letters that no key has"
            )

    def without_key(self, text: str) -> str:
        """Return what a server said, on one line, not too long, and without any key."""
        text = " ".join(text.split())
        text = text.replace(self.key, "***") if self.key else text
        text = _KEY.sub("***", text)
        return text if len(text) <= 300 else f"{text[:297]}..."
