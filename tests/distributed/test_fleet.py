"""Fleet of one process: what it does is Paddle's (tests/parity); here is what only minipaddle says."""

import pytest

from minipaddle import paddle
from minipaddle.paddle.distributed import fleet
from minipaddle.paddle.distributed.fleet.base.strategy_fields import defaults


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
    with pytest.raises(RuntimeError, match=r"role: 2"):
        fleet.init()


def test_a_role_says_what_the_environment_says(monkeypatch):
    monkeypatch.setenv("PADDLE_PSERVERS_IP_PORT_LIST", "a:1,b:2")
    monkeypatch.setenv("PADDLE_TRAINER_ID", "3")
    role = fleet.PaddleCloudRoleMaker()
    assert (role._get_pserver_endpoints(), role._worker_index(), role._is_first_worker()) == (
        ["a:1", "b:2"],
        3,
        False,
    )


def test_a_model_is_handed_on():
    fleet.init(is_collective=True)
    net = paddle.nn.Linear(2, 2)
    assert fleet.distributed_model(net) is net
    assert fleet.fleet.distributed_model(net) is net


def test_servers_are_told_that_there_is_nothing_to_do():
    fleet.init()
    with pytest.warns(
        UserWarning, match="You should not call 'save_persistables' method for collective mode"
    ):
        assert fleet.save_persistables(None, "folder") is None


def test_minimize_in_a_program_is_that_of_the_optimizer(programs):
    assert fleet.init(is_collective=True) is None
    job = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1))
    assert job is fleet.fleet
    job.minimize(loss())
    types = [op.type for op in paddle.static.default_main_program().global_block().ops]
    assert types.count("sgd") == 2


def test_what_would_rewrite_the_program_is_told(programs):
    strategy = fleet.DistributedStrategy()
    strategy.gradient_merge = strategy.amp = True
    job = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1), strategy)
    with pytest.warns(
        UserWarning, match=r"not rewritten for amp, gradient_merge: that works in PaddlePaddle"
    ):
        job.minimize(loss())


def test_minimize_needs_an_optimizer():
    with pytest.raises(AttributeError, match=r"call paddle\.distributed\.fleet\.distributed_optimizer first"):
        fleet.Fleet().minimize(None)


def test_levels_have_names_and_numbers():
    fleet.init(is_collective=True, log_level=10)
    assert (fleet.get_log_level_name(), fleet.get_log_level_code()) == ("DEBUG", 10)


def test_a_wrong_type_is_told_and_changes_nothing():
    strategy = fleet.DistributedStrategy()
    with pytest.warns(UserWarning, match="nccl_comm_num should have value of int type"):
        strategy.nccl_comm_num = "two"
    assert strategy.nccl_comm_num == 1


def test_build_strategies_travel():
    strategy, build = fleet.DistributedStrategy(), paddle.static.BuildStrategy()
    build.fuse_bn_act_ops = True
    build.reduce_strategy = paddle.static.BuildStrategy.ReduceStrategy.Reduce
    strategy.build_strategy = build
    assert strategy.build_strategy.fuse_bn_act_ops is True
    assert strategy.build_strategy.reduce_strategy is paddle.static.BuildStrategy.ReduceStrategy.Reduce
    assert strategy.build_strategy.fuse_resunit is False
    assert "fuse_bn_act_ops: true" in str(strategy.strategy)


def test_every_message_of_the_table_is_one():
    assert defaults("strategy")["hybrid_configs"]["mp_configs"]["nccl_config"]["nchannels"] == 0


def test_recompute_keeps_less_and_gives_the_same():
    net = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.Tanh(), paddle.nn.Linear(4, 2))
    x = paddle.ones([2, 3])
    x.stop_gradient = False
    net(x).sum().backward()
    wanted = [parameter.grad.numpy() for parameter in net.parameters()] + [x.grad.numpy()]
    net.clear_gradients()
    x.clear_grad()
    out = fleet.recompute.recompute_sequential({"segments": 2}, net, x)
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

    assert after(fleet.utils.recompute) == after(lambda function, x: function(x))


def test_scores_whose_classes_would_be_cut_cost_the_same():
    scores, label = paddle.to_tensor([[1.0, 2.0, 3.0]]), paddle.to_tensor([[1]])
    cost = fleet.meta_parallel.ParallelCrossEntropy()(scores, label)
    assert cost.item() == paddle.nn.functional.cross_entropy(scores, label).item()
