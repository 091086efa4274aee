"""Record the results of all cases from real Paddle into `results/eager.json`.

    python3.11 -m venv /tmp/paddle33 && /tmp/paddle33/bin/pip install paddlepaddle==3.3.1
    OMP_NUM_THREADS=1 /tmp/paddle33/bin/python -m tests.parity.record [FAMILY ...]

With names of families only those are recorded again. One case is one line of the file, so a diff of a new
recording shows which behaviour moved.
"""

import json
import sys
from pathlib import Path
from typing import Any

import paddle

from .codec import summary
from .collect import all_cases, run
from .kit import Case

RESULTS = Path(__file__).parent / "results" / "eager.json"
LIMIT = 1_000_000  # bytes


def main(only: list[str]) -> int:
    """Run, check the key words, write; returns the exit code."""
    kept = stored() if only else {}
    cases = all_cases(only or None)
    fresh = {name: value for name, case in cases.items() if (value := attempt(name, case)) is not None}
    families = {name.partition("/")[0] for name in cases}
    results = {name: value for name, value in kept.items() if name.partition("/")[0] not in families} | fresh
    complaints = [name for name, value in fresh.items() if "without [" in json.dumps(value)]
    size = write(results)
    sys.stderr.write(f"{len(fresh)} of {len(cases)} cases recorded, {len(results)} stored, {size} bytes\n")
    for name in complaints:
        sys.stderr.write(f"Paddle's own message lacks the key words: {name}: {fresh[name]}\n")
    return 1 if complaints or len(fresh) < len(cases) or size > LIMIT else 0


def attempt(name: str, case: Case) -> Any:
    """The result, or None with a line on standard error where the case itself breaks on real Paddle."""
    try:
        return run(case)
    except Exception as error:
        sys.stderr.write(f"not recorded: {name}: {type(error).__name__}: {summary(str(error))}\n")
        return None


def stored() -> dict[str, Any]:
    """The results recorded before."""
    return json.loads(RESULTS.read_text())["results"] if RESULTS.exists() else {}


def write(results: dict[str, Any]) -> int:
    """Write the file, one case per line, and return its size in bytes."""
    compact = {name: json.dumps(results[name], separators=(",", ":")) for name in sorted(results)}
    lines = [f"{json.dumps(name)}: {text}" for name, text in compact.items()]
    body = ",\n".join(lines)
    return RESULTS.write_text(f'{{"paddle": "{paddle.__version__}", "results": {{\n{body}\n}}}}\n')


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
