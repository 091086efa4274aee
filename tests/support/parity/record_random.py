"""Record from real Paddle 2.6.2 what random Programs answer into `results/random_2.6.2.json`.

    OMP_NUM_THREADS=1 /tmp/paddle26/bin/python -m tests.support.parity.record_random [FIRST LAST]

Without numbers the sample that the tests run. Each program has a process of its own, for some end Paddle. To look for
new disagreements, record other numbers, run `tests/parity/test_random_programs.py`, and mend the cause, or add a row to
docs/parity.md and leave the seed out.
"""

import json
import os
import sys
from typing import Any

import paddle

from . import RESULTS
from .codec import encode
from .random_programs import answer, program

RECORD = RESULTS / "random_2.6.2.json"
SAMPLE = range(1, 60)
KNOWN = {4, 13, 26}
"""Seeds of programs in which Paddle 2.6.2 does something that docs/parity.md lists."""


def main(seeds: list[int]) -> None:
    """Run the programs, write the answers, one program per line."""
    found = {seed: in_a_process(program(seed)) for seed in seeds}
    lines = [f'"{seed}": {json.dumps(one, separators=(",", ":"))}' for seed, one in found.items() if one]
    body = ",\n".join(lines)
    RECORD.write_text(f'{{"paddle": "{paddle.__version__}", "programs": {{\n{body}\n}}}}\n')


def in_a_process(lines: list[str]) -> Any:
    """The program and its answer; None if it ends the process."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with os.fdopen(writing, "w") as file:
            json.dump({"lines": lines, "answer": encode(answer(lines))}, file)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        text = file.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


if __name__ == "__main__":
    asked = range(*map(int, sys.argv[1:3])) if len(sys.argv) == 3 else SAMPLE
    main([seed for seed in asked if seed not in KNOWN])
