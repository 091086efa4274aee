"""One engine in a process of its own: one JSON request per line on stdin, one JSON answer per line on stdout.

It begins with `{"version": "2.4.6"}`, or `{"error": ...}`. Then:

`{"load": "chain"}` -> `{"loaded": "benchmarks.twins.chain_numpy"}`;
`{"values": 2}` -> `{"values": [[...], [...]]}`, what the next two steps return;
`{"calls": 100}` -> `{"seconds": 0.0468}`, the time of the next 100 steps.
"""

import importlib
import importlib.metadata
import json
import os
import sys
import time

import numpy as np

from benchmarks.scripts import module_of, script_of


def import_engine(name):
    """Import the engine and return its version; `minipaddle` also answers to `import paddle` from here on."""
    module = importlib.import_module(module_of(name))
    if name == "minipaddle":
        importlib.import_module("minipaddle.importer").install()
    return getattr(module, "__version__", None) or importlib.metadata.version(name)


def as_list(value):
    """A tensor of any engine, or an array, as plain numbers."""
    return np.asarray(value.detach().numpy() if hasattr(value, "detach") else value).tolist()


class Worker:
    """Holds the step function of the case loaded last."""

    def __init__(self, engine):
        self.engine = engine
        self.step = None

    def load(self, case):
        if "paddle" in sys.modules:
            sys.modules[
                "paddle"
            ].disable_static()  # as a script finds it; the case before may have been static
        script = script_of(case, self.engine)
        self.step = importlib.import_module(script).setup()
        return {"loaded": script}

    def values(self, count):
        return {"values": [as_list(self.step()) for _ in range(count)]}

    def calls(self, count):
        step = self.step
        start = time.perf_counter()
        for _ in range(count):
            step()
        return {"seconds": time.perf_counter() - start}

    def answer(self, request):
        """Do what the request's one key asks for; what goes wrong is an answer as well."""
        ((verb, argument),) = request.items()
        try:
            return {"load": self.load, "values": self.values, "calls": self.calls}[verb](argument)
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}".splitlines()[0]}


def main(engine):
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what an engine prints must not end up among the answers
    try:
        print(json.dumps({"version": import_engine(engine)}), file=answers, flush=True)
    except ImportError as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), file=answers, flush=True)
        return
    worker = Worker(engine)
    for line in sys.stdin:
        print(json.dumps(worker.answer(json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
