"""Fleet with one process: Paddle's behaviour is in tests/parity; here are minipaddle's own sentences."""

import pytest

from minipaddle import paddle
from minipaddle.paddle.distributed import fleet
from minipaddle.paddle.distributed.fleet.recompute import recompute


@pytest.fixture
def programs():
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        yield
    paddle.disable_static()


def loss():
    return paddle.nn.Linear(4, 1)(paddle.static.data("x", [2, 4])).mean()


def test_a_job_of_several_is_refused(monkeypatch):
    monkeypatch.setenv("PADDLE_TRAINERS_NUM", "2")
    with pytest.raises(
        RuntimeError, match=r"A job of several processes works in PaddlePaddle[^$]*of 2 workers"
    ):
        fleet.init(is_collective=True)
    monkeypatch.setenv("PADDLE_TRAINERS_NUM", "1")
    monkeypatch.setenv("TRAINING_ROLE", "PSERVER")
    with pytest.raises(RuntimeError, match=r"it is a server"):
        fleet.init()


def test_a_job_has_to_begin(monkeypatch):
    monkeypatch.setattr(fleet, "_role", None)
    with pytest.raises(AttributeError, match=r"call paddle\.distributed\.fleet\.init first"):
        fleet.worker_index()
    assert fleet.init() is fleet
    assert fleet.worker_index() == 0


def test_a_model_is_handed_on():
    fleet.init(is_collective=True)
    net = paddle.nn.Linear(2, 2)
    assert fleet.distributed_model(net) is net


def test_servers_are_told_that_there_is_nothing_to_do():
    fleet.init()
    with pytest.warns(
        UserWarning, match="You should not call 'save_persistables' method for collective mode"
    ):
        assert fleet.save_persistables(None, "folder") is None


def test_minimize_in_a_program_is_that_of_the_optimizer(programs):
    assert fleet.init(is_collective=True) is None
    fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss())
    types = [op.type for op in paddle.static.default_main_program().global_block().ops]
    assert types.count("sgd") == 2


def test_what_would_rewrite_the_program_is_told(programs):
    strategy = fleet.DistributedStrategy()
    strategy.gradient_merge = strategy.amp = True
    with pytest.warns(
        UserWarning, match=r"not rewritten for amp, gradient_merge: that works in PaddlePaddle"
    ):
        fleet.distributed_optimizer(paddle.optimizer.SGD(0.1), strategy)


def test_a_strategy_keeps_what_it_is_told():
    strategy = fleet.DistributedStrategy()
    strategy.amp_configs = {"init_loss_scaling": 8}
    strategy.amp_configs = {"incr_ratio": 1.3}
    strategy.build_strategy = build = paddle.static.BuildStrategy()
    assert strategy.amp_configs == {"init_loss_scaling": 8, "incr_ratio": 1.3}
    assert strategy.build_strategy is build


def test_paddles_own_paths_lead_here():
    from minipaddle.paddle.distributed.fleet.base import role_maker

    assert role_maker.PaddleCloudRoleMaker is fleet.PaddleCloudRoleMaker
    assert fleet.utils.recompute is recompute


def test_recompute_keeps_less_and_gives_the_same():
    net = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.Tanh(), paddle.nn.Linear(4, 2))
    x = paddle.ones([2, 3])
    x.stop_gradient = False
    net(x).sum().backward()
    wanted = [parameter.grad.numpy() for parameter in net.parameters()] + [x.grad.numpy()]
    net.clear_gradients()
    x.clear_grad()
    out = recompute(net, x)
    assert "RecomputeFunction" in out.grad_fn.name()
    out.sum().backward()
    found = [parameter.grad.numpy() for parameter in net.parameters()] + [x.grad.numpy()]
    assert all((a == b).all() for a, b in zip(wanted, found, strict=True))


def test_recompute_draws_the_same_and_leaves_the_stream_where_it_was():
    def after(call):
        paddle.seed(7)
        x = paddle.ones([50])
        x.stop_gradient = False
        out = call(lambda x: paddle.nn.functional.dropout(x, 0.5), x)
        between = paddle.rand([3]).tolist()
        out.sum().backward()
        return x.grad.tolist(), between, paddle.rand([3]).tolist()

    assert after(recompute) == after(lambda function, x: function(x))
