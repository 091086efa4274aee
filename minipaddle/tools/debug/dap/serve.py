"""Editors that connect through a port: one session after the other."""

import socket
from collections.abc import Callable

from minipaddle.tools.debug.dap.adapter import Adapter


def serve_at(port: int, ready: Callable[[int], None]) -> None:
    """Wait for editors at a port of this machine, until Ctrl-C; 0 is any free one, of which `ready` is told.

    Raises OSError if the port is taken.
    """
    with socket.create_server(("127.0.0.1", port)) as server:
        ready(server.getsockname()[1])
        try:
            while True:
                connection, _ = server.accept()
                with connection, connection.makefile("rb") as read, connection.makefile("wb") as write:
                    Adapter(read, write).serve()
        except KeyboardInterrupt:
            pass
