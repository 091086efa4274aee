"""Section 2: shapes and dtypes found while building."""

import paddle

from tests.support.parity.graphs import feed
from tests.support.parity.kit import Family, raises, refusal

cases = Family("static_shapes")
S = paddle.static


def shapes_are_inferred():
    x, y = feed("x", -1, 3), feed("y", 3, 5)
    z, cube = feed("z", -1, 3), feed("cube", -1, 2, 3)
    outs = {
        "matmul": x @ y,
        "mean": paddle.mean(x),
        "sum": paddle.sum(x, axis=1),
        "sum keepdim": paddle.sum(x, axis=0, keepdim=True),
        "concat": paddle.concat([x, z]),
        "concat axis": paddle.concat([x, z], axis=1),
        "concat of known": paddle.concat([y, y], axis=1),
        "transpose": paddle.transpose(cube, [2, 0, 1]),
        "add": x + z,
        "add broadcast": cube + feed("row", 3),
        "add one": x + feed("one", 1, 3),
        "known and unknown": feed("known", 4, 3) + x,
        "reshape": paddle.reshape(x, [-1, 1, 3]),
        "reshape zero": paddle.reshape(x, [0, 3, 1]),
        "flatten": paddle.reshape(cube, [-1]),
        "stack": paddle.stack([x, z], axis=1),
        "unsqueeze": paddle.unsqueeze(x, [0, 2]),
        "split": paddle.split(cube, 2, axis=1)[0],
        "slice": x[:, 1:],
        "row": x[0],
        "softmax": paddle.nn.functional.softmax(x),
        "fc": S.nn.fc(x, 7),
        "fc of a cube": S.nn.fc(cube, 7),
        "batched": paddle.matmul(cube, y),
        "cast": paddle.cast(x, "int64"),
        "expand": paddle.expand(feed("f", 1, 3), [4, 3]),
        "one_hot": paddle.nn.functional.one_hot(feed("ids", -1, dtype="int64", stop=True), 6),
        "argmax": paddle.argmax(x, axis=1),
        "where": paddle.where(x > 0, x, z),
        "gather": paddle.gather(x, feed("index", 5, dtype="int64", stop=True)),
        "square_error_cost": paddle.nn.functional.square_error_cost(x, z),
    }
    return {name: [list(out.shape), str(out.dtype)] for name, out in outs.items()}


def shapes_that_conflict():
    return [
        raises(lambda: feed("a", 2, 3) + feed("b", 2, 4)),
        raises(lambda: paddle.concat([feed("c", 2, 3), feed("d", 3, 4)], axis=0)),
        raises(lambda: paddle.reshape(feed("e", 2, 3), [4, 2])),
    ]


@cases.ours(refusal("ValueError"))
def matmul_of_shapes_that_conflict():
    return raises(lambda: feed("a", 2, 3) @ feed("b", 4, 5))
