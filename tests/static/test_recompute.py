"""RecomputeOptimizer and GradientMergeOptimizer: what lies beside their listings."""

import numpy as np
import pytest

from minipaddle import paddle

S = paddle.static
X = np.linspace(-1, 1, 12, dtype="float32").reshape(4, 3)


def trained(wrap, building_seed=5):
    """Losses of three runs of a network with dropout."""
    with (
        S.program_guard(S.Program(), S.Program()),
        S.scope_guard(S.Scope()),
        paddle.utils.unique_name.guard(),
    ):
        S.default_main_program().random_seed = S.default_startup_program().random_seed = building_seed
        hidden = S.nn.fc(S.data("x", [4, 3]), 5, activation="tanh")
        middle = paddle.nn.functional.dropout(hidden, 0.5)
        last = S.nn.fc(middle, 4, activation="tanh")
        loss = paddle.mean(last * last)
        optimizer = paddle.optimizer.SGD(0.5)
        if wrap:
            optimizer = paddle.incubate.optimizer.RecomputeOptimizer(optimizer)
            optimizer._set_checkpoints([last])
        optimizer.minimize(loss)
        exe = S.Executor()
        exe.run(S.default_startup_program())
        return [exe.run(feed={"x": X}, fetch_list=[loss])[0] for _ in range(3)]


def test_recomputing_changes_no_number_and_draws_nothing_twice(building):
    np.testing.assert_array_equal(trained(True), trained(False))


def test_only_in_programs():
    for name in ("RecomputeOptimizer", "GradientMergeOptimizer"):
        with pytest.raises(Exception, match="In dygraph"):
            getattr(paddle.incubate.optimizer, name)(None)


def test_a_pipeline_is_refused_in_a_sentence():
    with pytest.raises(AttributeError, match="a pipeline runs the stages"):
        paddle.incubate.optimizer.PipelineOptimizer(None)
