"""Answers programs from within real Paddle: a program per line of JSON comes in, an answer per line goes out.

    PADDLE_PYTHON -m tests.support.parity.drawn.serve eager|programs

Each program has a process of its own, for some end Paddle, and 30 seconds, for some never end.
"""

import importlib
import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

SECONDS = 30


def main(kind: str) -> None:
    """Answer until there are no more programs."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # Paddle prints what it likes
    answer = importlib.import_module(
        f".{'eager' if kind == 'eager' else 'program'}_answer", __package__
    ).answer
    for line in sys.stdin:
        out.write(json.dumps(in_a_process(answer, json.loads(line))) + "\n")
        out.flush()


def in_a_process(answer: Callable[[list[str]], Any], lines: list[str]) -> Any:
    """The answer to a program; None if it ends the process, or does not end itself."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(SECONDS)
        with os.fdopen(writing, "w") as file:
            json.dump(answer(lines), file)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        text = file.read()
    _, status = os.waitpid(child, 0)
    return json.loads(text) if text and not status else None


if __name__ == "__main__":
    main(sys.argv[1])
