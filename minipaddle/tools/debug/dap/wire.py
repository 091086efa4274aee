"""Messages of the protocol as bytes: a header with the length, an empty line, and JSON."""

import json
from collections.abc import Iterator
from contextlib import suppress
from io import BufferedIOBase
from threading import Lock
from typing import Any

Body = dict[str, Any]
"""A message, or a part of one."""
_LARGEST = 10**8  # bytes of a message: no editor sends 100 MB


class Wire:
    """The connection to an editor."""

    def __init__(self, input: BufferedIOBase, output: BufferedIOBase) -> None:
        self._input, self._output = input, output
        self._lock, self._number = Lock(), 0
        self.later: list[Body] = []
        """The events to be written after the answer to the request that is carried out."""

    def messages(self) -> Iterator[Body]:
        """Yield the editor's messages until the connection ends. Raises ValueError if one cannot be read."""
        length = b""
        while line := self._input.readline():
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length":
                length = value
            elif not line.strip():
                if not 0 <= int(length) <= _LARGEST:
                    raise ValueError(f"a message of {int(length)} bytes")
                yield json.loads(self._input.read(int(length)))

    def write(self, message: Body) -> None:
        """Write one message, from any thread."""
        with self._lock, suppress(OSError, ValueError):  # the editor has gone: the reader sees the end, too
            self._number += 1
            body = json.dumps({"seq": self._number, **message}).encode()
            self._output.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            self._output.flush()

    def event(self, name: str, **body: Any) -> None:
        """Write an event of the protocol."""
        self.write({"type": "event", "event": name, "body": body})
