"""paddle.distributed of one process: what it does is Paddle's (tests/parity); here is what only minipaddle says."""

import inspect
import os
import subprocess
import sys

import pytest

from minipaddle import paddle
from minipaddle.engine.core.errors import GUARD
from minipaddle.paddle import distributed as dist


@pytest.fixture
def quiet(recwarn):
    """Let Paddle's warnings pass, that it is alone."""
    return recwarn


def test_the_refusal_says_what_to_ask_first():
    with pytest.raises(RuntimeError, match=r"global group is not initialized[^$]*get_world_size\(\) > 1"):
        dist.all_reduce(paddle.ones([2]))


def test_the_environment_is_read_when_it_is_asked_for(monkeypatch):
    monkeypatch.setenv("PADDLE_TRAINER_ID", "2")
    monkeypatch.setenv("PADDLE_TRAINERS_NUM", "4")
    monkeypatch.setenv("PADDLE_TRAINER_ENDPOINTS", "a:1,b:2")
    assert (dist.get_rank(), dist.get_world_size()) == (2, 4)
    assert dist.ParallelEnv().trainer_endpoints == ["a:1", "b:2"]
    assert list(paddle.io.DistributedBatchSampler(range(8), 1)) == [[2], [6]]
    with pytest.raises(RuntimeError, match=r"PADDLE_TRAINERS_NUM is 4"):
        dist.init_parallel_env()


@pytest.mark.parametrize("rings", ["0", "9"])
def test_rings_are_one_to_eight(monkeypatch, rings):
    monkeypatch.setenv("FLAGS_nccl_nrings", rings)
    with pytest.raises(AssertionError, match="nccl_nrings"):
        dist.ParallelEnv()


def test_a_group_of_one_says_who_is_in_it():
    group = dist.new_group([0])
    assert repr(group) == f"rank: -1, nranks: 1, id: {group.id}, ranks: 0; name: _default_pg{group.id}"
    with pytest.warns(UserWarning, match=rf"Current global rank 0 is not in group _default_pg{group.id}"):
        dist.broadcast(paddle.ones([2]), 0, group)


def test_a_stream_goes_with_waiting_only():
    with pytest.raises(RuntimeError, match=r"use_calc_stream can only be true in sync op behavior"):
        dist.stream.all_reduce(paddle.ones([2]), sync_op=False, use_calc_stream=True)
    with pytest.raises(RuntimeError, match="global group is not initialized"):
        dist.stream.all_reduce(paddle.ones([2]), sync_op=False)
    known = inspect.signature(dist.all_reduce).parameters
    assert list(inspect.signature(dist.stream.all_reduce).parameters) == [*known, "use_calc_stream"]


def test_names_are_guarded():
    assert dist.get_rank.__code__ is GUARD


def test_spawn_calls_the_function_here(monkeypatch):
    monkeypatch.delenv("PADDLE_TRAINER_ID", raising=False)
    monkeypatch.setenv("PADDLE_TRAINERS_NUM", "7")
    seen = []
    context = dist.spawn(lambda *args: seen.append((*args, dist.get_rank(), dist.get_world_size())), (3,), 1)
    assert seen == [(3, 0, 1)]
    assert context.join()
    assert dist.get_world_size() == 7
    assert "PADDLE_TRAINER_ID" not in os.environ


def test_spawn_of_several_is_refused_and_errors_are_the_users_own():
    with pytest.raises(
        RuntimeError, match=r"spawn of 2 processes works in PaddlePaddle: minipaddle trains in one\."
    ):
        dist.spawn(print, nprocs=2)
    with pytest.raises(ZeroDivisionError):
        dist.spawn(lambda: 1 / 0)


SCRIPT = """
import sys
import paddle.distributed as dist
if __name__ == "__main__":
    print(sys.argv[1:], dist.get_rank(), dist.get_world_size())
"""


def launched(folder, *options):
    (folder / "train.py").write_text(SCRIPT, encoding="utf-8")
    run = ["minipaddle", "run", "-m", "paddle.distributed.launch", "--", *options, "train.py", "--lr", "1"]
    return subprocess.run(
        [sys.executable, "-m", *run], cwd=folder, capture_output=True, text=True, check=False
    )


def test_launch_runs_a_script_here(tmp_path):
    assert launched(tmp_path, "--nproc_per_node", "1").stdout == "['--lr', '1'] 0 1\n"


@pytest.mark.parametrize("options", [("--nproc_per_node=2",), ("--gpus", "0,1"), ("--nnodes", "2:4")])
def test_launch_of_several_is_refused(tmp_path, options):
    done = launched(tmp_path, *options)
    assert done.returncode
    assert "launch of 2 processes works in PaddlePaddle" in done.stderr


def test_data_parallel_stops_in_a_program():
    paddle.enable_static()
    try:
        with pytest.raises(
            AssertionError, match="not supported to construct DataParallel in static graph mode"
        ):
            paddle.DataParallel(paddle.nn.Linear(2, 2))
    finally:
        paddle.disable_static()
