"""Variables in the place of numbers: axes, bounds, counts and sizes that only a run tells; sizes that are not known."""

import ast

import numpy as np
import paddle

from tests.support.parity.graphs import run
from tests.support.parity.kit import Family

cases = Family("static_late")
S, F = paddle.static, paddle.nn.functional

HELD = cases.table("held", globals())


def held(name):
    """What is fed: floats are float32, numbers int32."""
    array = np.asarray(HELD[name])
    return array.astype("float32" if array.dtype == np.float64 else "int32")


def outcome(text):
    """Numbers and gradients of a call; the size of the first axis of d and e is not known."""
    used = sorted(
        {one.id for one in ast.walk(ast.parse(text)) if isinstance(one, ast.Name) and one.id in HELD}
    )
    made = {}
    for name in used:
        shape = [-1 if name in "de" and place == 0 else size for place, size in enumerate(held(name).shape)]
        made[name] = S.data(name, shape, str(held(name).dtype))
        made[name].stop_gradient = held(name).dtype != np.float32
    paddle.seed(7)
    out = eval(text, {"paddle": paddle, "F": F, **made})
    if isinstance(out, bool):
        return out
    loss = [] if out.stop_gradient else [paddle.sum(out * out)]
    leaves = [made[name] for name in used if name in ("x", "z", "d", "e", "img", "row")] if loss else []
    grads = S.gradients(loss, leaves) if leaves else []
    return run([out, *grads], feed={name: held(name) for name in used})


for line in cases.listed("calls"):
    cases.add(line, outcome, line)
