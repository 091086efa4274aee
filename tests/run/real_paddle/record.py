"""Record what the real Paddle answers to the scripts of this directory: `answers.json`.

    python -m tests.run.real_paddle.record /tmp/paddle33/bin/python /tmp/paddle26/bin/python

The interpreters are those of tests/support/parity/record.py. Each of them begins with parameters of its own.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from minipaddle.tools.run.real_paddle import driver as twin_driver

HERE = Path(__file__).parent
ANSWERS = HERE / "answers.json"


def main(pythons: list[str]) -> None:
    """Run every script under every interpreter."""
    answers = {}
    for python in pythons:
        version = subprocess.check_output(
            [python, "-c", "import paddle; print(paddle.__version__)"], text=True
        ).strip()
        for script in ("eager", "static"):
            answers[f"{script} {version}"] = answer(python, HERE / f"{script}.py")
    ANSWERS.write_text(json.dumps(answers, indent=0) + "\n")


def answer(python: str, script: Path) -> dict[str, dict[str, object]]:
    """Run one script; returns the parameters that it began with, and what it wrote down."""
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / name) for name in ("start.npz", "out.npz")]
        subprocess.run([python, twin_driver.__file__, "paddle", *files, str(script)], check=True)
        start, arrays = (dict(np.load(file)) for file in files)
    return {"start": lists(start), "arrays": lists(arrays)}


def lists(arrays: dict[str, np.ndarray]) -> dict[str, object]:
    return {name: array.tolist() for name, array in arrays.items()}


if __name__ == "__main__":
    main(sys.argv[1:])
