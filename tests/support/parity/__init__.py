"""Minipaddle against results recorded from real PaddlePaddle: the cases, the records, the tools; see `docs/parity.md`.

What runs on the real Paddle too imports no minipaddle.
"""

from pathlib import Path

FILES = Path(__file__).parent / "files"
"""Checkpoints that Paddle has written."""
RESULTS = Path(__file__).parent / "results"
"""What Paddle has answered."""


def answers(family: str) -> Path:
    """The file with what Paddle answered to the cases of one module."""
    return RESULTS / "cases" / f"{family}.json"
