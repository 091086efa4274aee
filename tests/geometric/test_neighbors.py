"""Neighbours that are drawn, and what recordings of Paddle cannot say of graphs."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import geometric

ROW = paddle.to_tensor([3, 7, 0, 9, 1, 4, 2, 9, 3, 9, 1, 9, 7])
COLPTR = paddle.to_tensor([0, 2, 4, 5, 6, 7, 9, 11, 11, 13, 13])
NODES = paddle.to_tensor([0, 8, 1, 2])
NAMES = paddle.arange(100, 113)


def test_all_neighbours_in_order():
    neighbors, count, names = geometric.sample_neighbors(ROW, COLPTR, NODES, eids=NAMES, return_eids=True)
    assert neighbors.tolist() == [3, 7, 9, 7, 0, 9, 1]
    assert count.tolist() == [2, 2, 2, 1]
    assert names.tolist() == [100, 101, 111, 112, 102, 103, 104]


@pytest.mark.parametrize("weighted", [False, True])
def test_some_neighbours_without_return(weighted):
    paddle.seed(1)
    rest = (paddle.ones([13]), NODES) if weighted else (NODES,)
    sample = geometric.weighted_sample_neighbors if weighted else geometric.sample_neighbors
    seen = set()
    for _ in range(40):
        neighbors, count = sample(ROW, COLPTR, *rest, sample_size=1)
        assert count.tolist() == [1, 1, 1, 1]
        seen.add(tuple(neighbors.tolist()))
    assert {first for first, *_ in seen} == {3, 7}
    assert {last for *_, last in seen} == {1}


def test_a_heavy_edge_is_drawn_more_often():
    paddle.seed(1)
    weights = paddle.to_tensor([1e-3] + [1.0] * 12)
    drawn = [
        geometric.weighted_sample_neighbors(ROW, COLPTR, weights, NODES[:1], 1)[0].item() for _ in range(50)
    ]
    assert drawn.count(7) > 45


def test_wrong_questions():
    with pytest.raises(ValueError, match="`eids` should not be None"):
        geometric.sample_neighbors(ROW, COLPTR, NODES, return_eids=True)
    with pytest.raises(IndexError, match="node 10 is out of bound"):
        geometric.sample_neighbors(ROW, COLPTR, paddle.to_tensor([10]))
    with pytest.raises(IndexError, match="out of bound"):
        geometric.send_u_recv(paddle.ones([3, 2]), paddle.to_tensor([5]), paddle.to_tensor([0]))
    with pytest.raises(ValueError, match="counts 1 neighbours, but there are 3"):
        geometric.reindex_graph(
            paddle.to_tensor([0]), paddle.to_tensor([1, 2, 3]), paddle.to_tensor([1], dtype="int32")
        )


def test_a_segment_in_a_program():
    rows = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], "float32")
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main):
            x = paddle.static.data("x", [-1, 2], "float32")
            x.stop_gradient = False
            ids = paddle.static.data("ids", [-1], "int64")
            out = geometric.segment_mean(x, ids)
            assert out.shape == (-1, 2)
            (dx,) = paddle.static.gradients([out], [x])
        assert main.global_block().ops[0].type == "segment_pool"
        feed = {"x": rows, "ids": np.array([0, 0, 2])}
        found, slope = paddle.static.Executor().run(main, feed=feed, fetch_list=[out, dx])
    finally:
        paddle.disable_static()
    assert found.tolist() == [[2, 3], [0, 0], [5, 6]]
    assert slope.tolist() == [[0.5, 0.5], [0.5, 0.5], [1, 1]]


def test_second_derivatives_pass_along_edges():
    x = paddle.to_tensor([[1.0], [2.0]], stop_gradient=False)
    ends = (paddle.to_tensor([0, 1, 1]), paddle.to_tensor([1, 0, 1]))
    out = geometric.send_u_recv(x * x * x, *ends)
    (first,) = paddle.grad([out], [x], create_graph=True)
    (second,) = paddle.grad([first], [x])
    assert first.tolist() == [[3.0], [24.0]]
    assert second.tolist() == [[6.0], [24.0]]
