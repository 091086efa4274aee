"""Record what the calls of `dtype_calls` answer for every dtype on real Paddle into `results/dtypes_3.3.1.json`.

    python3.11 -m venv /tmp/paddle33 && /tmp/paddle33/bin/pip install paddlepaddle==3.3.1
    OMP_NUM_THREADS=1 /tmp/paddle33/bin/python -m tests.support.parity.record_dtypes

With the names of dtypes behind it, only these are asked again, and the other answers stay.

Every call runs in a process of its own, for some end it, and some never end: what such a call answers is `dies`.
"""

import json
import os
import signal
import sys

import paddle

from . import RESULTS
from .dtype_calls import answer, calls

PATIENCE = 5  # seconds
RECORD = RESULTS / "dtypes_3.3.1.json"


def main() -> int:
    """Run all calls and write; returns the exit code."""
    only = sys.argv[1:]
    before = json.loads(RECORD.read_text())["calls"] if only else {}
    found = {
        call: {
            dtype: alone(call, dtype) if not only or dtype in only else before[call][dtype]
            for dtype in dtypes
        }
        for call, dtypes in calls().items()
    }
    lines = ",\n".join(f"{json.dumps(call)}: {json.dumps(one)}" for call, one in found.items())
    size = RECORD.write_text(f'{{"paddle": "{paddle.__version__}", "calls": {{\n{lines}\n}}}}\n')
    sys.stderr.write(f"{len(found)} calls, {size} bytes\n")
    return 0


def alone(call: str, dtype: str) -> str:
    """What the call answers, in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.alarm(PATIENCE)
        os.write(writing, answer(paddle, call, dtype).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    return said if status == 0 else "dies"


if __name__ == "__main__":
    sys.exit(main())
