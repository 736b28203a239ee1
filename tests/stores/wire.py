"""A wire to a server that can be cut: connections are passed on, until they are not."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

COMMIT = b"\x00\x02\xb0\x12\x00\x00"  # the message, as Bolt says it


class Wire:
    """Listens on a port of its own and passes on what comes to `uri`, both ways."""

    def __init__(self, uri: str) -> None:
        self._to = urlsplit(uri).hostname or "", urlsplit(uri).port or 7687
        self._open: list[socket.socket] = []
        self._after, self._cuts = b"", 0
        self._listener: socket.socket | None = None
        self._port = 0
        self.mend()

    @property
    def uri(self) -> str:
        return f"bolt://127.0.0.1:{self._port}"

    def mend(self) -> None:
        """Take connections, on the same port as before."""
        listener = socket.create_server(("127.0.0.1", self._port))
        self._listener, self._port = listener, listener.getsockname()[1]
        threading.Thread(target=self._accept, args=[listener], daemon=True).start()

    def cut(self) -> None:
        """Break every connection and refuse new ones."""
        if self._listener is not None:
            with suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
        self._listener = None
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._open.clear()

    def mend_after(self, seconds: float) -> threading.Timer:
        """Mend in a while."""
        timer = threading.Timer(seconds, self.mend)
        timer.start()
        return timer

    def cut_after(self, message: bytes, times: int = 1) -> None:
        """Break the connection that sends this message, once the server has it and has answered.

        The answer never arrives.
        """
        self._after, self._cuts = message, times

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                server = socket.create_connection(self._to)
                self._open += [client, server]
                heard = threading.Event()
                for args in ((client, server, heard, True), (server, client, heard, False)):
                    threading.Thread(target=self._pass_on, args=args, daemon=True).start()

    def _pass_on(
        self, one: socket.socket, other: socket.socket, heard: threading.Event, up: bool
    ) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                if up and self._cuts and self._after in data:
                    self._cuts -= 1
                    heard.set()
                elif not up and heard.is_set():
                    break
                other.sendall(data)
        for each in (one, other):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@contextmanager
def wire(uri: str) -> Iterator[Wire]:
    """Give a wire to a server, and cut it at the end."""
    made = Wire(uri)
    try:
        yield made
    finally:
        made.cut()
