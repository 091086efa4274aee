"""paddle.distributed with one process: Paddle's behaviour is in tests/parity; here are minipaddle's own sentences."""

import os

import pytest

from minipaddle import paddle
from minipaddle.engine.errors import GUARD
from minipaddle.paddle import distributed as dist


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


def test_data_parallel_stops_in_a_program():
    paddle.enable_static()
    try:
        with pytest.raises(
            AssertionError, match="not supported to construct DataParallel in static graph mode"
        ):
            paddle.DataParallel(paddle.nn.Linear(2, 2))
    finally:
        paddle.disable_static()
