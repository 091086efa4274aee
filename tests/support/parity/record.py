"""Record what real Paddle answers to the cases: `results/cases/FAMILY.json` for each module of `cases/`.

    python3.11 -m venv /tmp/paddle33 && /tmp/paddle33/bin/pip install paddlepaddle==3.3.1
    OMP_NUM_THREADS=1 /tmp/paddle33/bin/python -m tests.support.parity.record [FAMILY ...]
    python3.11 -m venv /tmp/paddle26 && /tmp/paddle26/bin/pip install paddlepaddle==2.6.2 "numpy<2" setuptools
    OMP_NUM_THREADS=1 /tmp/paddle26/bin/python -m tests.support.parity.record [STATIC_FAMILY ...]

The release that runs decides which: 2.6.2 is asked the modules `static_*`, 3.3.1 the others. With names of families
only those are recorded again. One case is one line of a file, so a diff of a new recording shows which behaviour moved.
"""

import json
import sys
from typing import Any

import paddle

from . import answers
from .codec import encode, summary
from .collect import all_cases, expected, families, run
from .compare import differences
from .kit import RELEASES, Case, Refusal, Same, mode_of

MODE = next(mode for mode, release in RELEASES.items() if release == paddle.__version__)
LIMIT = 250_000  # bytes of one family


def main(only: list[str]) -> int:
    """Run, check the key words, write; returns the exit code."""
    names = only or families(MODE)
    if strangers := [name for name in names if mode_of(name) != MODE]:
        raise SystemExit(f"{strangers} are not recorded from {paddle.__version__}")
    return max(record(family) for family in names)


def record(family: str) -> int:
    """Record one family; returns 1 when something is wrong with it, else 0."""
    cases = all_cases([family])
    fresh = {name: value for name, case in cases.items() if (value := attempt(name, case)) is not None}
    complaints = [name for name, value in fresh.items() if not sound(cases[name], value)]
    size = write(family, fresh)
    sys.stderr.write(f"{family}: {len(fresh)} of {len(cases)} cases recorded, {size} bytes\n")
    for name in complaints:
        sys.stderr.write(f"without the key words, or not different at all: {name}: {fresh[name]}\n")
    return 1 if complaints or len(fresh) < len(cases) or size > LIMIT else 0


def sound(case: Case, value: Any) -> bool:
    """Paddle's own messages have the key words; where we claim to differ from Paddle there is a difference."""
    if case.ours is Same:
        return "without [" not in json.dumps(value)
    return bool(list(differences(expected(case, value), value, case.tolerance)))


def attempt(name: str, case: Case) -> Any:
    """The result, or None with a line on standard error where the case itself breaks on real Paddle.

    A case where we differ may break: then the exception is Paddle's answer.
    """
    try:
        return run(case)
    except Exception as error:
        if case.ours is not Same:
            return encode(Refusal(type(error).__name__, (), str(error)))
        sys.stderr.write(f"not recorded: {name}: {type(error).__name__}: {summary(str(error))}\n")
        return None


def write(family: str, results: dict[str, Any]) -> int:
    """Write the family's file, one case per line, and return its size in bytes."""
    compact = {name: json.dumps(results[name], separators=(",", ":")) for name in sorted(results)}
    body = ",\n".join(f"{json.dumps(name)}: {text}" for name, text in compact.items())
    return answers(family).write_text(f'{{"paddle": "{paddle.__version__}", "results": {{\n{body}\n}}}}\n')


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
