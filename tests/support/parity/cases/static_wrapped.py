"""Optimizers around others: GradientMergeOptimizer and RecomputeOptimizer."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, calls, feed, pairs, types
from tests.support.parity.kit import Family, raises

cases = Family("static_wrapped")
wrapped, F = paddle.incubate.optimizer, paddle.nn.functional
X = np.linspace(-1, 1, 12, dtype="float32").reshape(4, 3)
MAKERS = {
    "sgd": lambda: paddle.optimizer.SGD(0.1),
    "momentum": lambda: paddle.optimizer.Momentum(0.1),
    "adam": lambda: paddle.optimizer.Adam(0.01),
}


def network(dropout=False):
    """The loss of a small network, and what lies in the middle."""
    start = paddle.nn.initializer.Assign(np.linspace(-0.5, 0.5, 15, dtype="float32").reshape(3, 5))
    again = paddle.nn.initializer.Assign(np.linspace(-0.4, 0.6, 20, dtype="float32").reshape(5, 4))
    first = S.nn.fc(
        feed("x", 4, 3, stop=True), 5, weight_attr=paddle.ParamAttr(initializer=start), activation="relu"
    )
    second = S.nn.fc(first, 4, weight_attr=paddle.ParamAttr(initializer=again), activation="tanh")
    return paddle.mean(second * second), [first, second]


def steps(loss, found, count=5):
    """Loss and parameters of some runs, which see different numbers."""
    exe = S.Executor()
    exe.run(S.default_startup_program())
    fetched = [loss, *[one for one, _ in found]]
    return [exe.run(feed={"x": X * (k + 1)}, fetch_list=fetched) for k in range(count)]


def recomputed(make, checkpoints):
    """What is appended, and values."""
    loss, middle = network()
    optimizer = wrapped.RecomputeOptimizer(make())
    optimizer._set_checkpoints([middle[place] for place in checkpoints])
    ops, found = optimizer.minimize(loss)
    main = calls()[0]
    return {"main": main, "ops": [op.type for op in ops], "pairs": pairs(found), "values": steps(loss, found)}


for name, make in MAKERS.items():
    cases.add(f"recompute {name}", recomputed, make, [0, 1])
cases.add("recompute one checkpoint", recomputed, MAKERS["sgd"], [0])


def merged(make, k_steps, avg=True):
    """What is appended, and values."""
    loss, _ = network()
    ops, found = wrapped.GradientMergeOptimizer(make(), k_steps=k_steps, avg=avg).minimize(loss)
    program = S.default_main_program()
    return {
        "main": [block["ops"] for block in calls()],
        "startup": types(S.default_startup_program().global_block()),
        "blocks": program.num_blocks,
        "pairs": pairs(found),
        "ops": len(ops),
        "values": steps(loss, found),
    }


for name, make in MAKERS.items():
    cases.add(f"merge {name}", merged, make, 2)
cases.add("merge sums", merged, MAKERS["sgd"], 3, False)


@cases
def errors():
    merge, recompute = wrapped.GradientMergeOptimizer, wrapped.RecomputeOptimizer
    loss, _ = network()
    return [
        raises(lambda: merge(None, 2), "inner optimizer"),
        raises(lambda: merge(MAKERS["sgd"](), 0), "k_steps"),
        raises(lambda: merge(MAKERS["sgd"](), 2).minimize(3), "loss"),
        raises(lambda: recompute(MAKERS["sgd"]()).minimize(loss), "_set_checkpoints"),
        raises(lambda: recompute(MAKERS["sgd"]())._set_checkpoints("x"), "_checkpoints"),
        raises(lambda: recompute(MAKERS["sgd"]()).load({}), "load"),
    ]
