"""Addresses of servers: nothing secret may stand in them, and no key goes out for all to read."""

from urllib.parse import urlsplit

from clew.errors import ConfigError

LOOPBACK = ("localhost", "127.0.0.1", "::1")


def here(url: str) -> bool:
    """Tell whether a server is on this machine."""
    return urlsplit(url).hostname in LOOPBACK


def check_address(url: str, setting: str, example: str, key_setting: str) -> None:
    """Refuse what is no address, and one that holds a login or a query.

    Raises:
        ConfigError: it names `setting`, and says what belongs there.
    """
    try:
        parts = urlsplit(url)
        whole = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        whole = False
    if not whole:
        raise ConfigError(f"{setting}: set it to a server's address, as in {example}")
    if parts.username or parts.password or parts.query:
        raise ConfigError(
            f"{setting}: holds a login or a query; name the server alone, and put its key into the "
            f"variable that {key_setting} names"
        )


def check_in_clear(url: str, setting: str, variable: str, allowing: str) -> None:
    """Refuse to send a key over plain HTTP to another machine.

    Raises:
        ConfigError: it names `setting`, the variable that holds the key, and what allows it.
    """
    if urlsplit(url).scheme == "http" and not here(url):
        raise ConfigError(
            f"{setting}: {url} would send the key in {variable} for all to read; set it to "
            f"https://…, or {allowing} to true in a network you trust"
        )
