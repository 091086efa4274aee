"""Is what is done with a Program linear in its size, and memory flat over many runs? `python -m benchmarks.linear`."""

from benchmarks.footprint import Line, probe

SIZES = (1_250, 2_500, 5_000, 10_000, 20_000)
REPEATS = 3
STEPS = 10_000


def quickest(size):
    """The operators of the Program, and the least seconds of each part: every repeat in a process of its own."""
    found = [probe("program", size) for _ in range(REPEATS)]
    parts = found[0]["seconds"]
    return found[0]["ops"], {part: min(each["seconds"][part] for each in found) for part in parts}


def table(rows):
    """Size, operators with gradients, and `milliseconds (us per op)` of each part, as Markdown."""
    parts = list(rows[0][2])
    lines = [["ops built", "with gradients", *parts], ["--:"] * (len(parts) + 2)]
    for size, ops, seconds in rows:
        cells = [f"{each * 1e3:.3g} ms ({each / ops * 1e6:.3g})" for each in seconds.values()]
        lines.append([f"{size:,}", f"{ops:,}", *cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main():
    """Print the table, then the growth of memory."""
    print("In brackets microseconds per operator: the same in every row if the cost is linear.\n")
    print(table([(size, *quickest(size)) for size in SIZES]), end="\n\n")
    megabytes = probe("running", "static_mlp_sgd", STEPS)["megabytes"]
    print(Line(f"{STEPS:,} runs of a training program: growth", megabytes, "MB", 1))


if __name__ == "__main__":
    main()
