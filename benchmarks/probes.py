"""What footprint.py measures, each in a fresh process: `python -m benchmarks.probes NAME` prints JSON."""

import gc
import importlib
import json
import os
import sys
import time
from pathlib import Path


def memory():
    """Resident memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def import_cost():
    """What `import minipaddle` adds to `import numpy`."""
    importlib.import_module("numpy")
    memory_before, start = memory(), time.perf_counter()
    importlib.import_module(
        "minipaddle.paddle.namespace"
    )  # what the first `minipaddle.paddle.something` loads
    return {"seconds": time.perf_counter() - start, "megabytes": memory() - memory_before}


def chain(length):
    """Forward and backward over `length` operators."""
    import minipaddle

    w = minipaddle.paddle.ones([2, 3])
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
    from minipaddle import paddle

    net = paddle.nn.Sequential(paddle.nn.Linear(8, 16), paddle.nn.ReLU(), paddle.nn.Linear(16, 1))
    optimizer = paddle.optimizer.Adam(learning_rate=1e-3, parameters=net.parameters())
    x = paddle.randn([32, 8])

    def step():
        net(x).square().mean().backward()
        optimizer.step()
        optimizer.clear_grad()

    return growth(step, int(steps))


def running(case, steps):
    """Run the training program of a case without the garbage collector; return the growth as `training` does."""
    return growth(ready(case), int(steps))


def growth(step, count):
    """Make `count` steps; return what memory grew by after the first tenth of them."""
    gc.disable()
    for done in range(count):
        if done == count // 10:
            memory_before = memory()
        step()
    return {"megabytes": memory() - memory_before}


def program(length):
    """CPU seconds of what is done with a Program of about `length` operators, one thing after the other."""
    importlib.import_module("minipaddle.importer").install()
    import paddle
    from paddle import static

    from benchmarks.cases import static_chain

    paddle.enable_static()
    main, exe, feed = static.Program(), static.Executor(), static_chain.feed()
    timed = {}

    def part(name, work):
        start = time.process_time()
        result = work()
        timed[name] = time.process_time() - start
        return result

    with static.program_guard(main):
        loss, leaves = part("build", lambda: static_chain.forward(int(length)))
        pairs = part("append_backward", lambda: static.append_backward(loss, parameter_list=leaves))
    part("str()", lambda: str(main))
    part("clone", main.clone)
    fetches = [gradient for _, gradient in pairs]
    part("first run", lambda: exe.run(main, feed=feed, fetch_list=fetches))
    part("second run", lambda: exe.run(main, feed=feed, fetch_list=fetches))
    return {"ops": len(main.global_block().ops), "seconds": timed}


def ready(case):
    """The step function of a case, run by minipaddle."""
    importlib.import_module("minipaddle.importer").install()
    return importlib.import_module(f"benchmarks.cases.{case}").setup()


def seconds(step, count):
    """Time `count` calls of `step`."""
    start = time.perf_counter()
    for _ in range(count):
        step()
    return time.perf_counter() - start


def answer(*probes):
    """Run the probe that the command line names, and print what it found as JSON."""
    name, *arguments = sys.argv[1:]
    print(json.dumps({probe.__name__: probe for probe in probes}[name](*arguments)))


if __name__ == "__main__":
    answer(import_cost, chain, training, running, program)
