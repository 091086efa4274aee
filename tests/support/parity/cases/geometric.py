"""``paddle.geometric``: segments, messages along edges, renumbering; values, gradients and errors."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, differentiate, frozen, raises

cases = Family("geometric")
G = paddle.geometric

ROWS = data(4, 3)
TIED = np.array([[1.0, 2.0], [1.0, 2.0], [1.0, 1.0], [3.0, 0.0]])
IDS = np.array([0, 0, 2, 2])
SRC, DST = np.array([0, 1, 2, 0, 3]), np.array([1, 2, 1, 0, 1])
EDGES = data(5, 3, seed=3, low=0.5)


def ids(array, dtype="int64"):
    return paddle.to_tensor(np.array(array), dtype=dtype)


for how in ("sum", "mean", "min", "max"):
    segment = getattr(G, f"segment_{how}")
    cases.add(f"segment_{how}", differentiate, lambda x, f=segment: f(x, ids(IDS)), ROWS)
    cases.add(f"segment_{how} with ties", differentiate, lambda x, f=segment: f(x, ids(IDS, "int32")), TIED)
    cases.add(
        f"segment_{how} of integers", lambda f: f(frozen([[3], [2], [8], [1]], "int32"), ids(IDS)), segment
    )
    cases.add(
        f"send_u_recv {how}",
        differentiate,
        lambda x, how=how: G.send_u_recv(x, ids(SRC), ids(DST), reduce_op=how),
        ROWS,
    )
    cases.add(
        f"send_u_recv {how} to more nodes",
        differentiate,
        lambda x, how=how: G.send_u_recv(x, ids(SRC), ids(DST), how, out_size=6),
        TIED,
    )
    for message in ("add", "sub", "mul", "div"):
        cases.add(
            f"send_ue_recv {message} {how}",
            differentiate,
            lambda x, y, m=message, how=how: G.send_ue_recv(x, y, ids(SRC), ids(DST), m, how),
            ROWS,
            EDGES,
        )
for message in ("add", "sub", "mul", "div"):
    cases.add(
        f"send_ue_recv {message} of numbers",
        differentiate,
        lambda x, y, m=message: G.send_ue_recv(x, y, ids(SRC), ids(DST), m),
        ROWS,
        EDGES[:, 0],
    )
    cases.add(
        f"send_uv {message}",
        differentiate,
        lambda x, y, m=message: G.send_uv(x, y, ids(SRC), ids(DST), m),
        ROWS,
        data(4, 1, seed=5, low=0.5),
    )

WRONG = {
    "unsorted": (lambda: G.segment_sum(frozen(ROWS), ids([0, 2, 1, 1])), "should be sorted"),
    "too few ids": (lambda: G.segment_sum(frozen(ROWS), ids([0, 1])), "same size as dimension 0"),
    "float ids": (
        lambda: G.segment_sum(frozen(ROWS), ids([0, 1, 1, 2], "float32")),
        "Unsupported index type",
    ),
    "negative ids": (lambda: G.segment_sum(frozen(ROWS), ids([-1, 0, 0, 1])), "start row index"),
    "another reduction": (
        lambda: G.send_u_recv(frozen(ROWS), ids(SRC), ids(DST), "x"),
        "reduce_op should be",
    ),
    "too few nodes": (lambda: G.send_u_recv(frozen(ROWS), ids(SRC), ids(DST), out_size=2), "out of bound"),
    "ends for some edges": (
        lambda: G.send_u_recv(frozen(ROWS), ids(SRC), ids(DST[:2])),
        "should have the same shape",
    ),
    "a table of sources": (
        lambda: G.send_u_recv(frozen(ROWS), ids(SRC[:4].reshape(2, 2)), ids(DST)),
        "last dim of Src_index should be 1",
    ),
    "another message": (
        lambda: G.send_uv(frozen(ROWS), frozen(ROWS), ids(SRC), ids(DST), "x"),
        "message_op should be",
    ),
}
for name, (call, words) in WRONG.items():
    cases.add(name, lambda call, words: raises(call, words), call, words)

NODES, NEIGHBORS, COUNT = [0, 1, 2], [8, 9, 0, 4, 7, 6, 7], [2, 3, 2]
for dtype in ("int64", "int32"):
    cases.add(
        f"reindex_graph {dtype}",
        lambda d: list(G.reindex_graph(ids(NODES, d), ids(NEIGHBORS, d), ids(COUNT, "int32"))),
        dtype,
    )
cases.add(
    "reindex_graph, a node twice",
    lambda: list(G.reindex_graph(ids([0, 0]), ids([8, 9, 0]), ids([2, 1], "int32"))),
)
cases.add(
    "reindex_heter_graph",
    lambda: list(
        G.reindex_heter_graph(
            ids(NODES), [ids(NEIGHBORS), ids([0, 2, 3, 5, 1])], [ids(COUNT, "int32"), ids([1, 3, 1], "int32")]
        )
    ),
)
cases.add(
    "counts of 64 bits",
    lambda: raises(lambda: G.reindex_graph(ids(NODES), ids(NEIGHBORS), ids(COUNT)), "int32"),
)
