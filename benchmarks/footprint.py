"""What minipaddle costs besides speed: start, memory, long chains: `python -m benchmarks.footprint`."""

import json
import os
import subprocess
import sys
import time
from statistics import median
from typing import NamedTuple

from benchmarks.engines import ONE_THREAD, ROOT

RUNS = 7
CLI = str(ROOT / "cli.py")


class Line(NamedTuple):
    """One measured value, its unit and the largest value allowed."""

    what: str
    value: float
    unit: str
    limit: float | None = None

    @property
    def wanted(self):
        """The largest value allowed, as text."""
        return "" if self.limit is None else f"<= {self.limit:g}"

    @property
    def verdict(self):
        """`ok` or `miss`; empty where there is no limit."""
        return "" if self.limit is None else "ok" if self.value <= self.limit else "miss"

    def __str__(self):
        return f"{self.what:52}{self.value:10.3g} {self.unit:6}{self.wanted:>9}  {self.verdict}".rstrip()


def run_python(*arguments):
    """Run a fresh interpreter in this checkout; compiled files may be kept, as in an installed package."""
    environment = os.environ | ONE_THREAD | {"PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True, text=True)


def probe(*arguments, module="probes"):
    """Run one of probes.py, or of another module of probes, in a process of its own."""
    return json.loads(run_python("-m", f"benchmarks.{module}", *map(str, arguments)).stdout)


def import_cost():
    """`import minipaddle`, above `import numpy`."""
    found = [probe("import_cost") for _ in range(RUNS + 1)][1:]  # the first run compiles
    yield Line("import minipaddle, above import numpy", median(f["seconds"] for f in found) * 1e3, "ms", 60)
    yield Line("  memory", median(f["megabytes"] for f in found), "MB", 20)


def help_cost():
    """`minipaddle --help`, and whether it loads NumPy."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run_python(CLI, "--help")
        times.append(time.perf_counter() - start)
    yield Line("minipaddle --help", median(times), "s", 0.35)
    imports = run_python("-X", "importtime", CLI, "--help").stderr
    yield Line("  modules of numpy loaded by it", imports.count("| numpy") + imports.count("  numpy"), "", 0)


def long_chains():
    """Time and memory of chains of growing length; if the cost is linear, both stay the same per operator."""
    for length in (25_000, 50_000, 100_000):
        found = probe("chain", length)
        yield Line(f"chain of {length:,} ops, forward and backward", found["seconds"], "s")
        yield Line("  per op", found["seconds"] / length * 1e6, "us")
        yield Line("  memory per op", found["megabytes"] / length * 2**20, "bytes")


def training():
    """Growth of memory over 9,000 of 10,000 training steps, garbage collector off."""
    growth = probe("training", 10_000)["megabytes"]
    yield Line("10,000 training steps: memory growth after 1,000", growth, "MB", 1)


def main():
    """Measure everything and print a line for each value."""
    for part in (import_cost, help_cost, long_chains, training):
        try:
            for line in part():
                print(line)
        except subprocess.CalledProcessError as error:
            print(f"{part.__name__} not measured: {error.stderr.strip().splitlines()[-1]}")


if __name__ == "__main__":
    main()
