"""Rows as a table for the terminal, as Markdown and as JSON."""

import json
import os
import platform
from pathlib import Path

HEAD = ("case", "against", "minipaddle", "the other", "ratio", "target", "")


def duration(seconds):
    """Three significant digits in us, ms or s."""
    unit, scale = ("s", 1) if seconds >= 1 else ("ms", 1e3) if seconds >= 1e-3 else ("us", 1e6)
    return f"{seconds * scale:#.3g} {unit}".replace(". ", " ")


def cells(row):
    """One Row as the texts of its table line."""
    target = "" if row.target is None else f"<= {row.target:.2f}"
    times = duration(row.seconds), duration(row.other_seconds), f"{row.ratio:.2f}"
    return row.title, row.engine, *times, target, row.verdict


def text(rows):
    """The table in columns, for a terminal."""
    lines = [HEAD, *map(cells, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    padded = ([cell.ljust(width) for cell, width in zip(line, widths)] for line in lines)
    return "\n".join("  ".join(line).rstrip() for line in padded)


def markdown(rows):
    """The table in Markdown, numbers to the right."""
    lines = [HEAD, ("---", "---", "--:", "--:", "--:", "--:", "---"), *map(cells, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def as_json(rows, notes):
    """Rows and notes for programs."""
    found = [row._asdict() | {"verdict": row.verdict} for row in rows]
    return json.dumps({"rows": found, "notes": notes}, indent=2)


def machine():
    """What the numbers were measured on."""
    return f"{processor()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def processor():
    """The processor's name where the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def page(rows, notes, versions, date, rounds):
    """The whole of RESULTS.md."""
    engines = ", ".join(f"{name} {version}" for name, version in versions.items())
    parts = [
        "# Results",
        f"Written by `python -m benchmarks.run --save`{f' on {date}' if date else ''}; "
        f"how it is measured stands in [README.md](README.md).",
        f"- Machine: {machine()}\n- Engines: {engines}\n"
        f"- Times are medians over {rounds} interleaved rounds on one thread; "
        "a ratio is the median of the rounds' ratios.",
        markdown(rows),
        "\n".join(f"- {note}" for note in notes),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"
