"""What paddle.distributed does with Programs of one process."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import distributed as dist
from minipaddle.paddle.distributed import fleet


@pytest.fixture(autouse=True)
def programs():
    paddle.enable_static()
    main, start = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, start), paddle.static.scope_guard(paddle.static.Scope()):
        yield
    paddle.disable_static()


def types():
    return [op.type for op in paddle.static.default_main_program().global_block().ops]


def test_a_table_that_would_be_shared_is_an_embedding():
    fleet.init(is_collective=True)
    rows = dist.split(paddle.static.data("x", [2], "int64"), (10, 6), "embedding")
    assert (rows.shape, types()) == ((2, 6), ["lookup_table_v2"])


def test_split_refuses_what_needs_several_processes():
    fleet.init(is_collective=True)
    x = paddle.static.data("x", [2, 4])
    with pytest.raises(ValueError, match=r"The number of ranks \(1\)"):
        dist.split(x, (4, 6), "linear", axis=1)
    with pytest.raises(AssertionError, match=r"must be one of \['linear', 'embedding'\]"):
        dist.split(x, (4, 6), "conv")
    assert types() == []


def test_split_needs_a_job(monkeypatch):
    monkeypatch.setattr(fleet.fleet, "_role", None)
    with pytest.raises(AssertionError, match=r"you must call fleet\.init\(\) firstly"):
        dist.split(paddle.static.data("x", [2, 4]), (4, 6), "linear")


def test_split_is_for_programs():
    paddle.disable_static()
    with pytest.raises(ValueError, match="cannot be used in dynamic graph mode"):
        dist.split(paddle.ones([2, 4]), (4, 6), "linear")


@pytest.mark.parametrize("filename", [None, "all"])
def test_persistables_go_into_files_and_back(tmp_path, filename):
    y = paddle.static.nn.fc(paddle.static.data("x", [2, 3]), 4, bias_attr=paddle.ParamAttr("fc.b"))
    bias = paddle.static.default_main_program().global_block().var("fc.b")
    assert (dist.io.is_persistable(bias), dist.io.is_persistable(y)) == (True, False)
    executor = paddle.static.Executor()
    executor.run(paddle.static.default_startup_program())
    dist.io.save_persistables(executor, str(tmp_path), filename=filename)
    held = paddle.static.global_scope().find_var("fc.b").get_tensor()
    held.set(np.arange(4, dtype="float32"), paddle.CPUPlace())
    dist.io.load_persistables(executor, str(tmp_path), filename=filename)
    assert np.array(paddle.static.global_scope().find_var("fc.b").get_tensor()).tolist() == [0, 0, 0, 0]
    assert (tmp_path / (filename or "fc.b")).exists()


def test_groups_are_not_for_programs():
    with pytest.raises(AssertionError, match="Only support group argument in eager mode"):
        dist.get_rank(dist.new_group([0]))
