"""Compares random programs here with the same ones on real Paddle, as many as one likes.

    python -m tests.support.parity.drawn.compare eager PADDLE_PYTHON FIRST LAST [--record] [--answers FILE]

Each program agrees; or it agrees without the lines that `known.py` explains, each by a row of docs/parity.md; or it
agrees in float64, so that a rounding of float32 was the difference; or it is shown, as few lines as still differ.
`--record` keeps the programs, without what differs, and Paddle's answers, for the tests; `--answers` keeps Paddle's
answers for the next time.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from .judging import KINDS, Ask, Kind, Program, Verdict, disagree, fewer, judge

# -- real Paddle ------------------------------------------------------------------------------------------------------


class Real:
    """Real Paddle in a process of its own, and what it has answered already."""

    def __init__(self, python: str, kind: str, kept: Path | None) -> None:
        self.command = [python, "-m", "tests.support.parity.drawn.serve", kind]
        self.process: subprocess.Popen[str] | None = None
        self.kept = kept
        lines = kept.read_text().splitlines() if kept and kept.exists() else []
        self.known = {json.dumps(program): found for program, found in map(json.loads, lines)}

    def __call__(self, lines: Program) -> Any:
        """What Paddle answers; None if its process ends."""
        asked = json.dumps(lines)
        if asked not in self.known:
            self.known[asked] = self.ask(asked)
            if self.kept:
                with self.kept.open("a") as file:
                    file.write(json.dumps([lines, self.known[asked]]) + "\n")
        return self.known[asked]

    def ask(self, asked: str) -> Any:
        if self.process is None:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self.process = subprocess.Popen(self.command, text=True, **pipes)
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(asked + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def main() -> int:
    """Compare; return how many programs differ without a row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("paddle")
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--short", action="store_true", help="show only the first line that differs")
    asked = parser.parse_args()
    kind, real = KINDS[asked.kind], Real(asked.paddle, asked.kind, asked.answers)
    count: Counter[str] = Counter()
    kept: dict[int, Any] = {}
    for seed in range(asked.first, asked.last):
        verdict = judge(kind, real, kind.draw(seed))
        count["rows"] += bool(verdict.rows)
        outcome = "agree" if not verdict.differences else "agree in float64" if verdict.rounding else "differ"
        count[outcome] += 1
        count.update(f"row: {row}" for row in set(verdict.rows))
        if outcome == "agree":
            kept[seed] = [verdict.lines, verdict.answer]
        if outcome == "differ" and asked.short:
            say(f"{seed}: {first(verdict)}")
        elif outcome == "differ":
            show(seed, fewer(kind, real, verdict.lines), kind, real)
    if asked.record:
        write(kind.record, kept)
    say(*(f"{number:6d} {what}" for what, number in sorted(count.items())))
    return count["differ"]


def write(record: Path, kept: dict[int, Any]) -> None:
    """Write what the tests run: the lines of each program that agrees, and Paddle's answers to them."""
    lines = [f'"{seed}": {json.dumps(one, separators=(",", ":"))}' for seed, one in kept.items()]
    record.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def first(verdict: Verdict) -> str:
    """The first difference, and its line."""
    one = verdict.differences[0]
    place = one.removeprefix(".lines.").partition(":")[0].split("[")[0].split(".")[0]
    return f"{verdict.lines[int(place)] if place.isdigit() else ''} | {one[:300]}"


def show(seed: int, lines: Program, kind: Kind, real: Ask) -> None:
    """Say which program differs, and how."""
    found = disagree(kind, real, lines)
    left = [f"    {place}: {line}" for place, line in enumerate(lines) if line != "pass"]
    say(f"--- {seed}", *left, *(f"   {one[:300]}" for one in found[:6]))


def say(*lines: str) -> None:
    """Write lines, at once: a comparison takes a while."""
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(bool(main()))
