"""Section 13: case and switch_case: nested conds."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, listing, run
from tests.support.parity.kit import Family

cases = Family("static_control_case")
X = np.array([1.0, 2.0], "float32")


def three(x, fns, **options):
    """Values of `case` for a small, a middling and a large x."""
    out = S.nn.case([(paddle.mean(x) < 2.0, fns[0]), (paddle.mean(x) < 5.0, fns[1])], *fns[2:], **options)
    return out, [run([out], {"x": X * k}) for k in (1.0, 2.0, 10.0)]


SWITCHES = {"dict": {1: 2.0, 3: 3.0}, "pairs": [(3, 3.0), (1, 2.0)], "functions": [2.0, 3.0]}
for text, table in SWITCHES.items():

    def _switched(table=table, default=True):
        x, i = feed("x", 2), feed("i", 1, dtype="int32", stop=True)
        choices = branches(x, table)
        out = S.nn.switch_case(i, choices, (lambda: x * 9.0) if default else None)
        values = [run([out], {"x": X, "i": np.array([k], "int32")}) for k in (0, 1, 3, 7)]
        return {"program": listing(), "values": values}

    cases.add(f"switch_case {text}", _switched)
    cases.add(f"switch_case {text} without default", _switched, table, False)


def branches(x, table):
    """The functions of a switch in the form of `table`."""
    if isinstance(table, dict):
        return {key: (lambda k=k: x * k) for key, k in table.items()}
    if isinstance(table[0], tuple):
        return [(key, lambda k=k: x * k) for key, k in table]
    return [lambda k=k: x * k for k in table]
