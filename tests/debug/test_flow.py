"""`flow`: every way to learn nothing has a name, and the place where it begins comes first."""

import re

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.paddle.nn import functional as F
from minipaddle.tools.checks.flow import gradient_flow
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.what_if import Forks
from minipaddle.tools.record import Recorder


def test_what_is_not_known_is_not_said_to_be_well(record):
    def script():
        w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        y = w * 3
        y.register_hook(lambda grad: paddle.to_tensor(grad.numpy() * 2))
        y.sum().backward()

    session = Session(record(script))
    session.goto("y@GRAD")
    Forks(session).set("y@GRAD", 4.0)
    flow = gradient_flow(session.trace)
    assert flow.summary == "pass 1: 1 parameter, 1 unknown"
    assert flow.findings == []
    assert not any(row.begins for row in flow.rows)


def test_a_recomputed_part_gives_its_parameters_their_gradients():
    """The pass within the backward of recompute was left out: no operator was said to use the parameters."""
    layer = paddle.nn.Linear(2, 2)
    recorder = Recorder()
    with watching(recorder):
        x = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False)
        paddle.distributed.fleet.utils.recompute(lambda v: paddle.tanh(layer(v)), x).sum().backward()
    found = gradient_flow(recorder.finish())
    arrived = {row.name: row.value for row in found.rows if row.is_parameter}
    expected = {"x": x.grad, "layer.weight": layer.weight.grad, "layer.bias": layer.bias.grad}
    assert {name: value.array.tolist() for name, value in arrived.items()} == {
        name: gradient.tolist() for name, gradient in expected.items()
    }
    assert {row.verdict for row in found.rows} == {"ok"}
    assert not found.reasons


def test_a_metric_of_an_earlier_round_is_no_reason_of_a_loss_without_a_graph(record):
    """`argmax` once counted as the cut on the way to a loss that was computed under no_grad."""

    def script():
        student, teacher = paddle.nn.Linear(2, 2), paddle.nn.Linear(2, 2)
        x, y = paddle.ones([3, 2]), paddle.zeros([3], "int64")
        paddle.optimizer.SGD(0.1, parameters=student.parameters())
        for _ in range(3):
            with paddle.no_grad():
                out = teacher(x)
            made = student(x)
            loss = paddle.nn.functional.cross_entropy(out, y)
            loss.backward()
            (made.argmax(1) == y).astype("float32").mean().item()

    flow = gradient_flow(record(script))
    ((sentence, names),) = flow.reasons
    assert "student.weight gets no gradient: backward (" in sentence
    assert re.search(r"\) began with a value that has no graph \(mean_all, .*:\d+\)$", sentence)
    assert names == ["student.weight", "student.bias"]


def test_the_gradient_of_data_may_be_zero_where_an_optimizer_trains_the_weights(record):
    """At the first step of a weight that begins at zero the gradient with respect to what it multiplies is zero."""

    def script():
        made = paddle.nn.Linear(2, 1, weight_attr=paddle.nn.initializer.Constant(0.0))
        optimizer = paddle.optimizer.SGD(0.1, parameters=made.parameters())
        u = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False)
        ((made(u) - 1) ** 2).mean().backward()
        optimizer.step()

    flow = gradient_flow(record(script))
    assert flow.summary == "pass 1: 2 parameters, all well"
    assert [row.verdict for row in flow.rows if row.name == "u"] == ["not trained"]
    assert flow.findings == flow.reasons == []


def test_a_gradient_that_has_become_tiny_at_a_minimum_is_no_fault(record):
    """The data do not fit: the loss falls from 4.25 to 0.25 and stays; no line multiplies the gradient away."""

    def script(steps, start):
        w = paddle.create_parameter([1], "float64", default_initializer=paddle.nn.initializer.Constant(start))
        optimizer = paddle.optimizer.SGD(0.2, parameters=[w])
        y = paddle.to_tensor([1.5, 2.5], "float64")
        for _ in range(steps):
            ((w - y) ** 2).mean().backward()
            optimizer.step()
            optimizer.clear_grad()

    trained = gradient_flow(record(lambda: script(60, 0.0)))
    assert trained.summary == "pass 60: 1 parameter, all well"
    assert "learned" in {row.verdict for row in trained.rows}
    at_once = gradient_flow(record(lambda: script(2, 2.0 + 1e-9)))
    assert at_once.summary == "pass 2: 1 parameter, 1 vanishing"


def test_a_huge_gradient_of_a_sum_is_no_explosion_where_the_rate_fits_it(record):
    """Of 2,000 numbers: the step is what decides, not the size of the gradient before the rate."""

    def script(rate):
        w = paddle.create_parameter([1], "float32")
        optimizer = paddle.optimizer.SGD(rate, parameters=[w])
        ((w * paddle.ones([2000]) - 3) ** 2).sum().backward()
        optimizer.step()

    fits = gradient_flow(record(lambda: script(1e-4)))
    assert fits.summary == "pass 1: 1 parameter, all well"
    assert {row.verdict for row in fits.rows if row.name == "w"} == {"ok"}
    assert gradient_flow(record(lambda: script(0.1))).summary == "pass 1: 1 parameter, 1 exploding"


def test_terms_of_both_signs_that_cancel_are_no_fault_where_other_leaves_learn(record):
    """A sine is odd, and so is tanh: the errors of all points add up to nothing, and the bias has nothing to learn."""

    def script():
        paddle.seed(0)
        x = paddle.linspace(-2, 2, 9, dtype="float64").unsqueeze(1)
        net = paddle.nn.Sequential(paddle.nn.Linear(1, 4), paddle.nn.Tanh(), paddle.nn.Linear(4, 1))
        net.astype("float64")
        F.mse_loss(net(x), paddle.sin(x)).backward()

    flow = gradient_flow(record(script))
    assert flow.summary == "pass 1: 4 parameters, all well"
    assert "by algebra" in {row.verdict for row in flow.rows}


def test_a_leaf_that_an_update_by_hand_replaces_is_not_missed(record):
    """The update reads the old leaf after its pass; the next pass, which the new one is for, owes it nothing."""

    def script():
        w = paddle.to_tensor([0.5, -0.3], stop_gradient=False)
        for _ in range(3):
            ((w - 2) ** 2).sum().backward()
            w = (w - 0.1 * w.grad).detach()
            w.stop_gradient = False

    assert gradient_flow(record(script)).summary == "pass 3: 1 parameter, all well"


def test_frozen_parameters_are_told_where_only_a_layer_that_was_replaced_is_left(record):
    def script(head):
        net = paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.Linear(3, 1))
        net.set_state_dict({name: 0.1 * one for name, one in net.state_dict().items()})
        net[1] = paddle.nn.Linear(3, 1)
        for parameter in net.parameters() if head else net[0].parameters():
            parameter.stop_gradient = True
        optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
        net(paddle.ones([4, 2])).mean().backward()
        optimizer.step()

    frozen = gradient_flow(record(lambda: script(True)))
    assert [row.verdict for row in frozen.findings] == ["frozen"] * 4
    assert "stop_gradient = True was set at test_flow.py:" in frozen.reasons[0][0]
    assert gradient_flow(record(lambda: script(False))).findings == []


def test_a_zero_that_a_step_changes_is_none_for_long(record):
    """At first the guess for 0 is 0, and so is the gradient of its square; the weights get gradients from elsewhere."""

    def script():
        paddle.seed(3)
        nn = paddle.nn
        net = nn.Sequential(nn.Linear(1, 3), nn.Tanh(), nn.Linear(3, 1))
        optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
        x = paddle.ones([4, 1])
        x.stop_gradient = False
        (slope,) = paddle.grad(net(x), x, create_graph=True)
        (((slope - 2) ** 2).mean() + (net(paddle.zeros([1, 1])) ** 2).mean()).backward()
        optimizer.step()

    flow = gradient_flow(record(script))
    assert "at first" in {row.verdict for row in flow.rows if row.name == "2.bias"}
    assert flow.findings == []


def test_a_gradient_that_is_zero_by_algebra_stays_so_where_its_numbers_are_not_kept(record):
    """The same number added to all scores changes no softmax; of a later pass the memory keeps statistics alone."""

    def script():
        paddle.seed(2)
        shift, scores = paddle.create_parameter([1], "float32"), paddle.randn([2000, 5])
        weight = paddle.create_parameter([5, 1], "float32")
        optimizer = paddle.optimizer.SGD(0.1, parameters=[shift, weight])
        for _ in range(4):
            ((F.softmax(scores + shift) @ weight) ** 2).mean().backward()
            optimizer.step()
            optimizer.clear_grad()

    flow = gradient_flow(record(script, max_mb=0.5))
    assert [row.verdict for row in flow.rows if row.name == "shift"] == ["by algebra"]
    assert flow.findings == []


def test_what_is_huge_on_the_way_is_told_beside_the_table_that_shows_it(record):
    def script():
        w = paddle.create_parameter([2], "float32")
        ((w * 1e9) * 1e-9).sum().backward()

    trace = record(script)
    assert (
        gradient_flow(trace).summary == "pass 1: 1 parameter, well in the end; 1 gradient is not, on the way"
    )
    assert gradient_flow(trace, in_table=False).summary == "pass 1: 1 parameter, all well"
