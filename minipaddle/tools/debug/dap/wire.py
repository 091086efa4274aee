"""Messages of the protocol as bytes: a header with the length, an empty line, and JSON."""

import json
from collections.abc import Iterator
from threading import Lock
from typing import Any, BinaryIO

Message = dict[str, Any]

_LARGEST = 2**24
"""Most bytes of a message: 16 MB, far above the breakpoints of any project; a longer one is no message."""


class NoProtocol(Exception):
    """The other side does not speak the protocol; the message says what came instead."""


def messages(stream: BinaryIO) -> Iterator[Message]:
    """Yield the messages of a stream until it ends. Raises NoProtocol if one cannot be read."""
    while header := _header(stream):
        try:
            length = int(header["content-length"])
        except (KeyError, ValueError):
            raise NoProtocol(f"a message begins with its Content-Length, not with {header}") from None
        if not 0 <= length <= _LARGEST:
            raise NoProtocol(f"a message of {length} bytes")
        body = stream.read(length)
        if len(body) < length:
            return
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise NoProtocol(f"a message that is no JSON: {error}") from None
        if not isinstance(message, dict):
            raise NoProtocol(f"a message that is no object: {message!r:.80}")
        yield message


def _header(stream: BinaryIO) -> dict[str, str]:
    """Return the fields of a header, by their names in lower case; {} at the end of the stream."""
    fields = {}
    while (line := stream.readline(1024)).strip():  # no field is longer: there are two, and both are short
        name, _, value = line.decode("latin-1").partition(":")
        fields[name.strip().lower()] = value.strip()
    return fields


class Writer:
    """Writes numbered messages to a stream, from any thread. A closed stream swallows them."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._lock, self._number = stream, Lock(), 0

    def write(self, message: Message) -> None:
        """Write one message."""
        with self._lock:
            self._number += 1
            body = json.dumps({"seq": self._number, **message}).encode()
            try:
                self._stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
                self._stream.flush()
            except (OSError, ValueError):  # the editor has gone: the reader sees the end, too
                pass

    def event(self, name: str, **body: Any) -> None:
        """Write an event of the protocol."""
        self.write({"type": "event", "event": name, "body": body})
