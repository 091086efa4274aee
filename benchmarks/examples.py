"""How many examples of Paddle's own documentation print here what it says?

`python -m benchmarks.examples` reads the docstrings of the Paddles that PADDLE_PYTHON and PADDLE26_PYTHON name, runs
each example there and here, and prints the scores; `--save` writes them, and the names of what differs, into
docs/parity.md. No text of Paddle is kept.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from benchmarks.docstrings import examples, installed
from benchmarks.engines import ONE_THREAD, ROOT
from benchmarks.example_worker import agree, plain

RELEASES = {"3.3.1": "PADDLE_PYTHON", "2.6.2": "PADDLE26_PYTHON"}
PAGE = ROOT / "docs" / "parity.md"
BEGIN, END = "<!-- examples: begin -->", "<!-- examples: end -->"


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("only", nargs="*", help="parts of names: nn.functional, autograd, ...")
    parser.add_argument("--release", action="append", choices=RELEASES, help="the Paddle to ask (both)")
    parser.add_argument("--here", action="store_true", help="run them here alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--save", action="store_true", help="write the scores into docs/parity.md")
    parser.add_argument(
        "--verbose", "-v", action="store_true", help="say of each that differs how it differs"
    )
    options = parser.parse_args()
    sections = []
    for release in options.release or RELEASES:
        python = os.environ.get(RELEASES[release]) or sys.exit(
            f"{RELEASES[release]} names no Python with Paddle {release}"
        )
        folder, version = installed(python)
        chosen = [
            one
            for one in examples(folder)
            if not options.only or any(part in one.name for part in options.only)
        ]
        here = judged("minipaddle", sys.executable, chosen, options.jobs)
        there = {} if options.here else judged("paddle", python, chosen, options.jobs)
        if release == "2.6.2":
            mark_newer(here, [one for one in chosen if prints_there(one.name, there)], options.jobs)
        sections.append(section(version, here, there))
        print(sections[-1])
        if options.verbose:
            print(
                "\n".join(told(name, answer) for name, answer in here.items() if answer["verdict"] != "same")
            )
    if options.save:
        save("\n\n".join(sections))


def judged(engine, python, chosen, jobs):
    """Return the verdict on each example under one engine, by name."""
    with ThreadPoolExecutor(jobs) as pool:
        answers = pool.map(
            lambda part: _ask(engine, python, part), [chosen[start::jobs] for start in range(jobs)]
        )
        found = {answer["name"]: answer for answers_of_one in answers for answer in answers_of_one}
    return {example.name: found[example.name] for example in chosen}


def _ask(engine, python, chosen):
    asked = "".join(
        json.dumps({"name": one.name, "parts": [asdict(part) for part in one.parts]}) + "\n" for one in chosen
    )
    command = [python, "-W", "ignore", "-m", "benchmarks.example_worker", engine]
    environment = os.environ | ONE_THREAD | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command,
        input=asked,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env=environment,
        text=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"name"')]


def mark_newer(here, chosen, jobs, engine="paddle", python=None):
    """Change the verdict on what differs here to `newer` where Paddle 3.3.1 prints from begin to end what we print."""
    python = python or os.environ[RELEASES["3.3.1"]]
    differing = [one for one in chosen if here[one.name]["verdict"] in ("differs", "error")]
    for name, answer in judged(engine, python, differing, jobs).items():
        if agree(plain(answer.get("printed", "")), plain(here[name]["printed"])):
            here[name]["verdict"] = "newer"


def section(version, here, there):
    """Return what docs/parity.md says about one release: a table of rooms, and the names of what differs here alone."""
    rooms = Counter(room_of(name) for name in here)
    printing, newer = same(here, "printing"), same(here, "newer")
    lines = [
        f"**{version}**: {same(here)} of {len(here)} here"
        + (
            f" and {printing} more but for how a shape, a complex number or a class is printed"
            if printing
            else ""
        )
        + (f", {newer} more that print what 3.3.1 prints" if newer else "")
        + (f", {same(there)} in real Paddle." if there else ".")
    ]
    lines += ["", "| module | examples | here | real |", "|---|---:|---:|---:|"]
    for room, count in rooms.most_common():
        of_room = [
            [answer for name, answer in side.items() if room_of(name) == room] for side in (here, there)
        ]
        ours, theirs = (sum(answer["verdict"] == "same" for answer in side) for side in of_room)
        lines.append(f"| {room} | {count} | {ours} | {theirs if there else ''} |")
    return "\n".join([*lines, "", *differences(here, there)])


def differences(here, there):
    """Return a paragraph for each verdict: the names of the examples that print the same there and not here."""
    alone = [name for name in here if prints_there(name, there)]
    for verdict in ("newer", "missing", "error", "differs", "endless", "died"):
        names = [name.removeprefix("paddle.") for name in alone if here[name]["verdict"] == verdict]
        if names:
            yield f"- *{verdict}* ({len(names)}): " + ", ".join(f"`{name}`" for name in names)


def prints_there(name, there):
    """Whether an example prints what the documentation says in real Paddle, if that was asked."""
    return not there or there[name]["verdict"] == "same"


def same(side, verdict="same"):
    """Return how many examples print what the documentation says, or have another verdict."""
    return sum(answer["verdict"] == verdict for answer in side.values())


def room_of(name):
    """Return the part of Paddle that an example belongs to: `nn` for `paddle.nn.layer.common.Linear`."""
    return name.split(".")[1].partition("#")[0]


def told(name, answer):
    """Return one line about an example that does not print the same."""
    what, said, wanted = (answer.get(field, "") for field in ("what", "said", "wanted"))
    return f"{answer['verdict']:8} {name}: {what} {said!r:.150} {wanted!r:.150}"


def save(text, page: Path = PAGE):
    """Put the scores between the two marks of a page."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
