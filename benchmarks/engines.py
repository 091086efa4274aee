"""The engines as run.py sees them: a process each, asked over a pipe."""

import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.scripts import environment_of, script_of

ROOT = Path(__file__).resolve().parent.parent
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)


class Refused(Exception):
    """The engine cannot be started, or cannot do what it was asked."""


class Engine:
    """A worker process for one engine.

    Args:
        name: `minipaddle`, `paddle`, `paddle26`, `paddle_old_ir`, `torch`, `autograd`, `numpy`, or `least`.
        python: the interpreter that has this engine.

    Raises:
        Refused: if there is no such interpreter, or it cannot import the engine.
    """

    def __init__(self, name, python=sys.executable):
        self.name = name
        environment = os.environ | ONE_THREAD | environment_of(name) | {"PYTHONPATH": str(ROOT)}
        command = [python, "-W", "ignore", "-m", "benchmarks.worker", name]
        try:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            raise Refused(f"{python}: {error.strerror}") from error
        try:
            self.version = self._answer()["version"]
        except Refused:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """End the process: a worker stops when nobody can ask any more."""
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def has(self, case):
        """Whether this engine has a script for the case."""
        return script_of(case, self.name) is not None

    def load(self, case):
        """Make `case` the one that is run from here on."""
        self._ask(load=case)

    def values(self, count):
        """Run `count` steps and return what they returned, as plain numbers."""
        return self._ask(values=count)["values"]

    def seconds(self, calls):
        """Run `calls` steps and return the seconds they took together."""
        return self._ask(calls=calls)["seconds"]

    def _ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def _answer(self):
        line = self.process.stdout.readline()
        answer = json.loads(line) if line else {"error": "the process ended"}
        if "error" in answer:
            raise Refused(answer["error"])
        return answer
