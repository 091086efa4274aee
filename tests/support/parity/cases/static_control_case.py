"""Section 13: case and switch_case: nested conds."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, listing, run
from tests.support.parity.kit import Family, raises

cases = Family("static_control_case")
X = np.array([1.0, 2.0], "float32")


def three(x, fns, **options):
    """Values of `case` for a small, a middling and a large x."""
    out = S.nn.case([(paddle.mean(x) < 2.0, fns[0]), (paddle.mean(x) < 5.0, fns[1])], *fns[2:], **options)
    return out, [run([out], {"x": X * k}) for k in (1.0, 2.0, 10.0)]


def case():
    x = feed("x", 2)
    _, values = three(x, [lambda: x * 2.0, lambda: x * 3.0, lambda: x * 4.0])
    return {"program": listing(), "values": values}


def case_without_default():
    x = feed("x", 2)
    _, values = three(x, [lambda: x * 2.0, lambda: x * 3.0])
    return {"program": listing(), "values": values}


def case_gradient():
    x = feed("x", 2)
    out, _ = three(x, [lambda: x * 2.0, lambda: x * 3.0, lambda: x * 4.0])
    found = S.gradients(paddle.sum(out), x)
    return [run(found, {"x": X * k}) for k in (1.0, 2.0, 10.0)]


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


def switch_case_of_int64():
    x, i = feed("x", 2), feed("i", 1, dtype="int64", stop=True)
    out = S.nn.switch_case(i, branches(x, SWITCHES["dict"]), lambda: x * 9.0)
    return {"program": listing(), "values": run([out], {"x": X, "i": np.array([3])})}


def errors_of_case_and_switch_case():
    x = feed("x", 2)
    p, i = paddle.mean(x) < 5.0, feed("i", 1, dtype="int32", stop=True)
    return [
        raises(lambda: S.nn.case(3)),
        raises(lambda: S.nn.case([p])),
        raises(lambda: S.nn.case([(p, 3)])),
        raises(lambda: S.nn.case([(True, lambda: x)])),
        raises(lambda: S.nn.case([(p, lambda: x)], default=3)),
        raises(lambda: S.nn.switch_case(1, {1: lambda: x})),
        raises(lambda: S.nn.switch_case(x, {1: lambda: x})),
        raises(lambda: S.nn.switch_case(i, 3)),
        raises(lambda: S.nn.switch_case(i, {"a": lambda: x})),
        raises(lambda: S.nn.switch_case(i, {1: 3})),
        raises(lambda: S.nn.switch_case(i, [(1, lambda: x), (1, lambda: x)])),
    ]


def eagerly():
    paddle.disable_static()
    x = paddle.to_tensor(X)
    found = S.nn.case([(paddle.mean(x) < 1.0, lambda: x * 5.0)], lambda: x * 7.0)
    return found, S.nn.switch_case(paddle.to_tensor([3]), {3: lambda: x * 9.0, 4: lambda: x})
