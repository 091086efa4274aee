"""Time minipaddle against other engines: `python -m benchmarks.run [CASE ...]` (see README.md)."""

import argparse
import os
import sys
from contextlib import ExitStack
from pathlib import Path

from benchmarks import report
from benchmarks.engines import Engine, Refused
from benchmarks.measure import measure
from benchmarks.targets import CASES

RESULTS = Path(__file__).with_name("RESULTS.md")


def options(arguments=None):
    """Read the command line."""
    names = [case.name for case in CASES]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(names)} (default: all)")
    for engine in ("paddle", "paddle26", "torch", "autograd"):
        variable = f"{engine.upper()}_PYTHON"
        about = f"interpreter that has {engine} (default: ${variable})"
        parser.add_argument(f"--{engine}", metavar="PY", default=os.environ.get(variable), help=about)
    parser.add_argument("--rounds", type=int, default=21, help="turns of each engine (default: 21)")
    parser.add_argument("--slice", type=float, default=0.05, help="seconds of one turn (default: 0.05)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    parser.add_argument("--save", action="store_true", help=f"write the table to {RESULTS.name} as well")
    parser.add_argument("--date", default="", help="date to put into the saved page")
    chosen = parser.parse_args(arguments)
    unknown = set(chosen.cases) - set(names)
    if unknown:
        parser.error(f"no such case: {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    return chosen


def interpreters(chosen):
    """The interpreter of each engine, as far as it is known."""
    ours = dict.fromkeys(("minipaddle", "numpy", "least"), sys.executable)
    paddles = {"paddle": chosen.paddle, "paddle26": chosen.paddle26}
    old_ir = {"paddle_old_ir": chosen.paddle} if chosen.paddle else {}
    return ours | paddles | old_ir | {"torch": chosen.torch, "autograd": chosen.autograd}


def start(pythons, stack):
    """Start an engine per interpreter; return those that run, and a note for each that does not."""
    engines, notes = [], []
    for name, python in pythons.items():
        if not python:
            notes.append(f"{name} left out: no interpreter given (--{name} PY or {name.upper()}_PYTHON)")
            continue
        try:
            engines.append(stack.enter_context(Engine(name, python)))
        except Refused as reason:
            notes.append(f"{name} left out: {reason}")
    return engines, notes


def main():
    """Run the chosen cases and print what came out."""
    chosen = options()
    rows = []
    with ExitStack() as stack:
        engines, notes = start(interpreters(chosen), stack)
        for case in CASES:
            if not chosen.cases or case.name in chosen.cases:
                found, refusals = measure(case, engines, chosen.rounds, chosen.slice)
                rows += found
                notes += refusals
    print(report.as_json(rows, notes) if chosen.json else "\n".join([report.text(rows), "", *notes]).rstrip())
    if chosen.save:
        versions = {engine.name: engine.version for engine in engines}
        RESULTS.write_text(report.page(rows, notes, versions, chosen.date, chosen.rounds))


if __name__ == "__main__":
    main()
