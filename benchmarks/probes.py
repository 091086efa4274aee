"""What footprint.py measures, each in a fresh process: `python -m benchmarks.probes NAME` prints JSON."""

import gc
import importlib
import json
import os
import sys
import time
from pathlib import Path
from statistics import median


def memory():
    """Resident memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def import_cost():
    """What `import minipaddle` adds to `import numpy`."""
    importlib.import_module("numpy")
    memory_before, start = memory(), time.perf_counter()
    importlib.import_module("minipaddle.namespace")  # what the first `minipaddle.something` loads
    return {"seconds": time.perf_counter() - start, "megabytes": memory() - memory_before}


def chain(length):
    """Forward and backward over `length` operators."""
    import minipaddle

    w = minipaddle.ones([2, 3])
    w.stop_gradient = False
    memory_before, start = memory(), time.perf_counter()
    h = w
    for _ in range(int(length)):
        h = h * w
    megabytes = memory() - memory_before
    h.backward()
    return {"seconds": time.perf_counter() - start, "megabytes": megabytes}


def training(steps):
    """Train a small network without the garbage collector; return the growth from a tenth of the steps on."""
    import minipaddle as paddle

    net = paddle.nn.Sequential(paddle.nn.Linear(8, 16), paddle.nn.ReLU(), paddle.nn.Linear(16, 1))
    optimizer = paddle.optimizer.Adam(learning_rate=1e-3, parameters=net.parameters())
    x = paddle.randn([32, 8])
    gc.disable()
    for done in range(int(steps)):
        if done == int(steps) // 10:
            memory_before = memory()
        net(x).square().mean().backward()
        optimizer.step()
        optimizer.clear_grad()
    return {"megabytes": memory() - memory_before}


def recording(case, steps):
    """Run some steps of a case plainly, then recorded as for `minipaddle step`: the median ratio of 5 rounds."""
    importlib.import_module("minipaddle.compat.importer").install()
    from minipaddle.core.watching import watching
    from minipaddle.trace import Recorder

    step = importlib.import_module(f"benchmarks.cases.{case}").setup()
    step()
    ratios = []
    for _ in range(5):
        plain = seconds(step, int(steps))
        with watching(Recorder()):
            ratios.append(seconds(step, int(steps)) / plain)
    return {"ratio": median(ratios)}


def seconds(step, count):
    """Time `count` calls of `step`."""
    start = time.perf_counter()
    for _ in range(count):
        step()
    return time.perf_counter() - start


PROBES = {"import_cost": import_cost, "chain": chain, "training": training, "recording": recording}

if __name__ == "__main__":
    probe, *arguments = sys.argv[1:]
    print(json.dumps(PROBES[probe](*arguments)))
