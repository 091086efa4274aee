"""How fast the tools are that look at a run: recording, prompt, pictures: `python -m benchmarks.tools`."""

import argparse
import os
import subprocess
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from benchmarks.engines import Engine, Refused
from benchmarks.footprint import Line
from benchmarks.footprint import probe as probe_of
from benchmarks.measure import measure
from benchmarks.report import machine
from benchmarks.targets import Case

PAGE = Path(__file__).with_name("TOOLS.md")
RECORDED = {"mlp_sgd": 30, "attention": 10, "lenet": 10, "chain": 5, "tanh": 300}
"""Cases, and how many steps of each are recorded in a round."""
LIMITS = {"statistics": 2, "values": 2, "values and variables": 1.3}
"""How many times the other run a recorded one may take, of the script that the target is set for: the first."""
AT_ONCE = 0.05
"""Seconds in which an answer at the prompt seems to come at once."""
DRAWINGS = [
    Case("drawing", "1,000 ops as SVG, all of them, against torchviz", {"torch": 1.0}),
    Case("drawing_folded", "1,000 ops as SVG, repeats folded, against torchviz", {"torch": 1.0}),
]
ABOUT = """Every line is measured in a process of its own, on one thread; a ratio is taken within one process, the two
sides in turns, and is the median of its rounds. Seconds are those of the processor, commands that are called included:
nothing here waits, and so it counts less what else the machine does. Every picture begins with the recording and ends
with the text of the file; the page is made by the command, so that starting Python and running the script count."""

probe = partial(probe_of, module="tool_probes")


def recording():
    """How much longer a run takes while it is recorded: with statistics, with values, with Python's variables too."""
    for case, steps in RECORDED.items():
        for kept, ratio in probe("recording", case, steps).items():
            limit = LIMITS[kept] if case == next(iter(RECORDED)) else None
            other = "with values" if kept.endswith("variables") else "the plain run"
            yield Line(f"{case} recorded with {kept}, against {other}", ratio, "x", limit)
    case, steps = next(iter(RECORDED)), 200
    ratio = probe("script", case, steps)["ratio"]
    what = f"{case} as a script of {steps} steps, trace with statistics against run"
    yield Line(what, ratio, "x", LIMITS["statistics"])


def prompt():
    """How long answers take at the prompt, in a recording of 10,000 events."""
    found = probe("prompt", 10_000)
    for command, seconds in found["seconds"].items():
        limit = None if command.startswith(("continue", "break")) else AT_ONCE * 1e3
        yield Line(f"{command}, among {found['events']:,} events", seconds * 1e3, "ms", limit)


def opening():
    """How long opening a large recording takes."""
    found = probe("opening", 100)
    yield Line(f"open a recording of {found['megabytes']:.0f} MB", found["seconds"], "s", 2)


def pictures():
    """How long pictures take."""
    found = probe("drawn", 200)
    yield Line(f"{found['nodes']} nodes as SVG", found["seconds"], "s", 0.5)
    found = probe("page", 2000)
    yield Line("training script of 2,000 nodes as a page", found["seconds"], "s", 5)
    found = probe("folded", 100_000)
    yield Line(f"{found['events']:,} events as SVG, folded", found["seconds"], "s", 10)
    yield Line("  memory that the drawing takes", found["megabytes"], "MB")
    yield Line("  memory of the process at most", found["peak"], "MB")


def checking():
    """How much longer the gradient check takes than the run that it checks."""
    for side in (64, 224):
        found = probe("check", side, 3)
        yield Line(
            f"check of a ResNet-18 step, two images of {side}x{side}, against the run",
            found["ratio"],
            "x",
            10,
        )


def commands():
    """How much longer the commands take than the run that they look at, of 35,000 events in one pass."""
    for name, ratio in probe("commands", 1250, 3).items():
        limit = 10 if name.endswith("html") else 5
        yield Line(f"{name} of a recurrent net with 35,000 events, against the run", ratio, "x", limit)


def models():
    """Building the graph of 10,000 to 40,000 operators: if it is linear, each takes the same time."""
    for operators in (10_000, 20_000, 40_000):
        seconds = probe("model", operators)["seconds"]
        yield Line(f"graph of {operators:,} ops: per op", seconds / operators * 1e6, "us")


def against_torchviz():
    """The same network of 1,000 operators drawn by torchviz, in turns."""
    with ExitStack() as stack:
        pythons = {"minipaddle": sys.executable, "torch": os.environ.get("TORCH_PYTHON", "python3")}
        engines = [stack.enter_context(Engine(name, python)) for name, python in pythons.items()]
        for case in DRAWINGS:
            rows, refusals = measure(case, engines, rounds=7, slice_seconds=0.05)
            if not rows:
                raise Refused(refusals[0])
            yield Line(case.title, rows[0].ratio, "x", rows[0].target)


def measured():
    """Measure everything; return the lines, and why some are missing."""
    lines, notes = [], []
    for part in (recording, prompt, opening, pictures, checking, commands, models, against_torchviz):
        try:
            for line in part():
                print(line, flush=True)
                lines.append(line)
        except (subprocess.CalledProcessError, Refused) as error:
            reason = getattr(error, "stderr", "") or str(error)
            notes.append(f"{part.__name__} not measured: {reason.strip().splitlines()[-1]}")
            print(notes[-1], flush=True)
    return lines, notes


def page(lines, notes, date=""):
    """The whole of TOOLS.md."""
    rows = [("what", "measured", "target", ""), ("---", "--:", "--:", "---")]
    rows += [(one.what.strip(), f"{one.value:.3g} {one.unit}", one.wanted, one.verdict) for one in lines]
    parts = [
        "# Speed of the tools",
        f"Written by `python -m benchmarks.tools --save`{f' on {date}' if date else ''}. {ABOUT}",
        f"- Machine: {machine()}",
        "\n".join(f"| {' | '.join(row)} |" for row in rows),
        "\n".join(f"- {note}" for note in notes),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def main():
    """Print a line for each value; with --save keep the page as well."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tools", description=__doc__)
    parser.add_argument("--save", action="store_true", help=f"write the page {PAGE.name} as well")
    parser.add_argument("--date", default="", help="date to put into the page")
    chosen = parser.parse_args()
    lines, notes = measured()
    if chosen.save:
        PAGE.write_text(page(lines, notes, chosen.date), encoding="utf-8")


if __name__ == "__main__":
    main()
