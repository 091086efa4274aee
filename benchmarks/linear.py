"""Is what is done with a Program linear in its size, and memory flat over many runs? `python -m benchmarks.linear`."""

import argparse
from pathlib import Path

from benchmarks.footprint import Line, probe
from benchmarks.report import duration, machine

PAGE = Path(__file__).with_name("LINEAR.md")
SIZES = (1_250, 2_500, 5_000, 10_000, 20_000)
REPEATS = 3
STEPS = 10_000
ABOUT = f"""Chains of small operators
with their gradients: CPU time, the least of {REPEATS} processes; in brackets per operator. If the cost is linear, that
is the same in every row, but for caches and the garbage collector, which favour small programs."""


def quickest(size):
    """The operators of the Program, and the least seconds of each part: every repeat in a process of its own."""
    found = [probe("program", size) for _ in range(REPEATS)]
    parts = found[0]["seconds"]
    return found[0]["ops"], {part: min(each["seconds"][part] for each in found) for part in parts}


def table(rows):
    """Size, operators with gradients, and `time (per operator)` of each part, as Markdown."""
    parts = list(rows[0][2])
    lines = [["ops built", "with gradients", *parts], ["--:"] * (len(parts) + 2)]
    for size, ops, seconds in rows:
        cells = [f"{duration(each)} ({duration(each / ops)})" for each in seconds.values()]
        lines.append([f"{size:,}", f"{ops:,}", *cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def page(date=""):
    """Measure everything and return it as Markdown."""
    megabytes = probe("running", "static_mlp_sgd", STEPS)["megabytes"]
    growth = Line(f"{STEPS:,} runs of a training program: memory growth", megabytes, "MB", 1)
    parts = [
        "# Programs of growing size",
        f"Written by `python -m benchmarks.linear --save`{f' on {date}' if date else ''}. {ABOUT}",
        f"- Machine: {machine()}",
        table([(size, *quickest(size)) for size in SIZES]),
        f"```\n{growth}\n```",
    ]
    return "\n\n".join(parts) + "\n"


def main():
    """Print the page; with --save keep it as well."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.linear", description=__doc__)
    parser.add_argument("--save", action="store_true", help=f"write the page to {PAGE.name} as well")
    parser.add_argument("--date", default="", help="date to put into the page")
    chosen = parser.parse_args()
    text = page(chosen.date)
    print(text, end="")
    if chosen.save:
        PAGE.write_text(text)


if __name__ == "__main__":
    main()
