"""Calls whose operators are recorded from Paddle 2.6.2: one expression on each line of `listing_calls*.txt`.

Those under `# calls` may use the placeholders declared here, `# startup` are initializers (of a parameter),
`# training` optimizers (that minimize a small loss). All these are compared with what we build. `# different ...` is
recorded too, but there we append other operators: one for a chain of Paddle's, a chain for one of them, or nothing at
all yet. The text of a call is its key in the record.
"""

from pathlib import Path
from typing import Any

__all__ = ["calls", "placeholders"]


def calls() -> dict[str, list[str]]:
    """The expressions by section."""
    found: dict[str, list[str]] = {}
    for path in sorted(Path(__file__).parent.glob("listing_calls*.txt")):
        for line in path.read_text().splitlines():
            if line.startswith("# "):
                section = found.setdefault(line[2:], [])
            else:
                section.append(line)
    return found


def placeholders(paddle: Any) -> dict[str, Any]:
    """Declare what the expressions use: floats and a complex one with gradients, integers and bools without."""
    floats = {
        "x": [2, 3], "y": [2, 3], "w": [3, 4], "r": [3], "s": [], "u": [-1, 3], "t": [2, 3, 4], "q": [3, 3],
        "o": [2, 1, 3], "img": [2, 3, 8, 8], "k": [4, 3, 3, 3], "table": [5, 4], "one": [1],
    }  # fmt: skip
    found = {name: paddle.static.data(name, shape, "float32") for name, shape in floats.items()}
    found["z"] = paddle.static.data("z", [2, 3], "complex64")
    for value in found.values():
        value.stop_gradient = False
    found["i"] = paddle.static.data("i", [2, 3], "int64")
    found["j"] = paddle.static.data("j", [2, 1], "int64")
    found["l"] = paddle.static.data("l", [2], "int64")
    found["b"] = paddle.static.data("b", [2, 3], "bool")
    found["c"] = paddle.static.data("c", [2], "bool")
    found["n"] = paddle.static.data("n", [2, 2], "int64")
    found["ids"] = paddle.static.data("ids", [-1, 1], "int64")
    return found
