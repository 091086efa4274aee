"""Draw the same network as it is drawn unless somebody asks for more: what repeats is folded."""

from benchmarks.cases import drawing


def setup():
    return drawing.setup(fold="auto")
