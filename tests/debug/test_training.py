"""`flow --passes all`: the mistakes of training loops are found with their lines; right loops have none."""

import json

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.checks.flow import flow_lines, gradient_flow
from minipaddle.tools.checks.training.no_progress import why_no_pass
from minipaddle.tools.checks.training.timeline import timeline, timeline_lines, timeline_object
from minipaddle.tools.record import load, save
from tests.support.commands import run_command
from tests.support.training_loops import LOOPS, written

F = paddle.nn.functional
MISTAKEN = [one for one in LOOPS if one.kind]
CORRECT = [one for one in LOOPS if not one.kind]


@pytest.fixture
def recorded(record, tmp_path):
    """`recorded(name)` is the recording of a loop."""

    def run(name):
        return record(written(next(one for one in LOOPS if one.name == name), tmp_path))

    return run


def test_there_are_enough_of_both():
    assert len(MISTAKEN) >= 25
    assert len(CORRECT) >= 25


@pytest.mark.parametrize("one", MISTAKEN, ids=lambda one: one.name)
def test_a_mistake_is_found_with_its_line(recorded, one):
    trace, line = recorded(one.name), f"planted.py:{one.line_in(one.body)}"
    found = timeline(trace)
    assert [(mistake.kind, mistake.where) for mistake in found.mistakes] == [(one.kind, line)]
    assert line in found.mistakes[0].sentence or one.kind in ("in no optimizer", "no step")
    assert found.mistakes[0].sentence in list(flow_lines(gradient_flow(trace)))


@pytest.mark.parametrize("one", CORRECT, ids=lambda one: one.name)
def test_what_is_right_is_left_alone(recorded, one):
    trace = recorded(one.name)
    assert timeline(trace).mistakes == []
    assert gradient_flow(trace).reasons == []


def test_groups_that_an_optimizer_was_given_are_the_groups(record, tmp_path):
    def script():
        net = paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.Linear(3, 1))
        bias = [one for one in net.parameters() if one.ndim == 1]
        weight = [one for one in net.parameters() if one.ndim == 2]
        groups = [{"params": weight}, {"params": bias, "learning_rate": 0.1}]
        optimizer = paddle.optimizer.SGD(0.1, parameters=groups)
        for _ in range(3):
            net(paddle.ones([4, 2])).mean().backward()
            optimizer.step()
            optimizer.clear_grad()

    trace = record(script)
    save(trace, tmp_path / "groups.mpt")
    for one in (trace, load(tmp_path / "groups.mpt")):
        found = timeline(one)
        names = [series.name.removeprefix("update/weight of ") for series in found.series]
        assert names[2:] == ["group 0 (0.weight, 1.weight)", "group 1 (0.bias, 1.bias)"]
        assert next(timeline_lines(found)).startswith("by parameter group  ")
        assert timeline_object(found)["by"] == "group"
        weights, biases = (series.values for series in found.series[2:])
        assert (len(weights), len(biases)) == (3, 2)  # beside biases of 0 no first update has a size


def test_no_rate_is_blamed_for_a_gradient_that_is_huge_before_any_update(record):
    def script(scale):
        w = paddle.to_tensor(np.eye(6, dtype="float32") * scale, stop_gradient=False)
        optimizer = paddle.optimizer.SGD(1.0, parameters=[w])
        for _ in range(4):
            h = paddle.ones([4, 6])
            for _ in range(20):
                h = h @ w
            h.square().mean().backward()
            optimizer.step()
            optimizer.clear_grad()

    assert "learning rate" in [one.kind for one in timeline(record(lambda: script(1.1))).mistakes]
    assert "learning rate" not in [one.kind for one in timeline(record(lambda: script(5.0))).mistakes]


def test_where_all_is_frozen_the_line_is_named(record):
    def script(freeze):
        net, head = paddle.nn.Linear(3, 3), paddle.nn.Linear(3, 1)
        for parameter in [*net.parameters(), *(head.parameters() if freeze else [])]:
            parameter.stop_gradient = True
        optimizer = paddle.optimizer.SGD(0.1, parameters=head.parameters())
        head(net(paddle.ones([4, 3]))).mean().backward()
        optimizer.step()

    frozen, right = gradient_flow(record(lambda: script(True))), gradient_flow(record(lambda: script(False)))
    ((said, names),) = frozen.reasons
    assert "stop_gradient = True was set at test_training.py:" in said
    assert len(names) == len(frozen.findings) == 4
    assert right.findings == []
    assert right.reasons == []


def test_an_update_of_weights_that_stay_0_has_no_size(record):
    def script():
        w = paddle.create_parameter(
            [3, 1], "float32", default_initializer=paddle.nn.initializer.Constant(0.0)
        )
        optimizer = paddle.optimizer.SGD(0.1, parameters=[w])
        for _ in range(3):
            (paddle.zeros([4, 3]) @ w).mean().backward()
            optimizer.step()

    *_, row = timeline_lines(timeline(record(script)))
    assert row.split() == ["update/weight", "of", "w", "-", "-", "-", "-"]


def test_a_zero_beside_a_term_that_was_cut_off_is_not_blamed(recorded):
    assert gradient_flow(recorded("a residual without a graph")).reasons == []
    assert gradient_flow(recorded("a residual with its graph")).reasons == []


def test_eval_mode_names_each_layer_and_the_call(recorded):
    (mistake,) = timeline(recorded("not back in train mode")).mistakes
    assert "by net.eval() (planted.py:7): call train() before it" in mistake.sentence


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a layer made after the optimizer", "; it was made at planted.py:3, after SGD ("),
        ("cleared in each part of a batch", ", by opt.clear_grad() (planted.py:4): "),
        ("a generator that its judge moves back", "; leave it out of one optimizer: SGD ("),
        ("gradients switched off for good", "set_grad_enabled(False), and nothing is recorded"),
        (
            "clear_grad without its brackets",
            "; opt.clear_grad (planted.py:6) is not called: write opt.clear_grad()",
        ),
        ("a limit that leaves nothing", "raise the limit of the clip (SGD, planted.py:3)"),
        (
            "a sum that a rate for means makes diverge",
            "; the loss is a sum of 256 numbers (sum, planted.py:4)",
        ),
        (
            "losses of a batch that are added up one by one",
            "; the loss is a sum of 48 numbers (sum, planted.py:6)",
        ),
    ],
)
def test_the_cause_has_its_line(recorded, name, said):
    (mistake,) = timeline(recorded(name)).mistakes
    assert said in mistake.sentence


def test_a_layer_in_several_places_is_known_from_a_file_too(recorded, tmp_path):
    trace = recorded("one layer in three places")
    save(trace, tmp_path / "one.mpt")
    assert timeline(load(tmp_path / "one.mpt")).mistakes == timeline(trace).mistakes != []


def test_a_loop_without_backward_is_told_of_its_loss(record):
    def script():
        net = paddle.nn.Linear(2, 1)
        opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())
        loss = net(paddle.ones([4, 2])).mean()
        opt.step()
        del loss

    said = why_no_pass(record(script))
    assert said.startswith(": loss (mean, test_training.py:")
    assert "its backward() is never called; SGD (test_training.py:" in said


def test_a_sum_of_losses_is_no_number_if_one_of_them_is_none(record):
    def script():
        x, y = (paddle.to_tensor([one], stop_gradient=False) for one in (1.0, -1.0))
        paddle.autograd.backward([x.sum(), paddle.log(y)])

    (loss, _) = timeline(record(script)).series
    assert np.isnan([*loss.values.values()]).all()


def test_targets_of_an_empty_batch_are_not_blamed(record):
    def script():
        probability = F.sigmoid(paddle.nn.Linear(2, 1)(paddle.zeros([0, 2])))
        F.binary_cross_entropy(probability, paddle.zeros([0, 1]), reduction="sum").backward()

    trace = record(script)
    assert timeline(trace).mistakes == []
    assert [said.partition(" (")[0].partition(": ")[2] for said, _ in gradient_flow(trace).reasons] == [
        "add_2 has no elements",
        "matmul_1 has no elements",
    ]


def test_the_timeline_has_a_line_for_each_number(recorded):
    found = timeline(recorded("gradients added up on purpose"))
    assert found.passes == list(range(1, 9))
    names = [one.name for one in found.series]
    assert names == ["loss", "gradient", "update/weight of 0", "update/weight of 2"]
    assert [len(one.values) for one in found.series] == [8, 8, 4, 4]
    head, *rows = timeline_lines(found)
    assert head.split() == ["by", "layer", "first", "last", "smallest", "largest", "trend", "breaks"]
    assert max(map(len, rows)) <= 100
    assert json.loads(json.dumps(timeline_object(found)))["passes"] == found.passes


def test_the_first_pass_at_which_a_trend_breaks_is_named(recorded):
    found = timeline(recorded("a rate of ten"))
    loss = found.series[0]
    assert loss.breaks_at == 2
    assert "pass 2" in list(timeline_lines(found))[1]


def hinge(margin):
    """Three steps towards rows that are further apart than the margin."""
    w = paddle.to_tensor([0.1], stop_gradient=False)
    optimizer = paddle.optimizer.SGD(5.0, parameters=[w])
    for _ in range(3):
        F.relu(margin - w * paddle.to_tensor([1.0, 2.0])).mean().backward()
        optimizer.step()
        optimizer.clear_grad()


def test_a_hinge_that_has_let_go_is_learned_and_one_that_never_held_is_dead(record):
    learned, dead = (gradient_flow(record(lambda margin=margin: hinge(margin))) for margin in (1.0, -1.0))
    assert [row.verdict for row in learned.rows if row.is_parameter] == ["learned"]
    assert learned.findings == []
    assert [row.verdict for row in dead.findings] == ["dead"]


def test_a_loss_that_is_nan_is_told_by_the_call_that_bore_it_though_its_gradient_is_finite(record):
    def script(shift):
        w = paddle.to_tensor([0.5, -0.5], stop_gradient=False)
        optimizer = paddle.optimizer.SGD(0.1, parameters=[w])
        for _ in range(2):
            paddle.log(w + shift).mean().backward()
            optimizer.step()
            optimizer.clear_grad()

    (found,) = timeline(record(lambda: script(0.0))).mistakes
    assert found.sentence.startswith("the loss is NaN in pass 1: log (")
    assert "rate" not in found.sentence
    assert timeline(record(lambda: script(2.0))).mistakes == []


@pytest.mark.parametrize("number", [np.inf, -np.inf])
def test_a_loss_that_is_infinite_is_not_called_nan(record, number):
    def script():
        x = paddle.to_tensor([1e30, 1.0], stop_gradient=False)
        (x * float(np.sign(number)) * 1e30 * 1e30).sum().backward()

    loss, gradient = timeline(record(script)).series
    assert loss.values == {1: number}
    assert gradient.values == {1: np.inf}


def test_a_state_that_is_loaded_before_or_after_the_recorded_step_is_loaded(tmp_path):
    """Of a script that is cut off after its first step, the other lines are not known to load nothing."""
    script = tmp_path / "loads.py"
    script.write_text(
        "import paddle\n"
        "net, other = paddle.nn.Linear(2, 1), paddle.nn.Linear(2, 1)\n"
        "other.set_state_dict(net.state_dict())\n"
        "opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())\n"
        "for _ in range(3):\n"
        "    (net(paddle.ones([4, 2])) - other(paddle.ones([4, 2])).detach() - 1).square().mean().backward()\n"
        "    opt.step()\n"
        "    opt.clear_grad()\n"
        "net.set_state_dict(other.state_dict())\n",
        encoding="utf-8",
    )
    for words in ([], ["--passes", "all"]):
        done = run_command("flow", script, *words)
        assert done.returncode == 0, done.stdout
        assert "loaded nothing" not in done.stdout


def test_updates_have_a_size_only_where_all_their_numbers_were_kept(record):
    def script():
        paddle.seed(1)
        net = paddle.nn.Linear(400, 400)
        optimizer = paddle.optimizer.SGD(0.01, parameters=net.parameters())
        for _ in range(4):
            net(paddle.ones([2, 400])).square().mean().backward()
            optimizer.step()
            optimizer.clear_grad()

    (whole,) = [one for one in timeline(record(script)).series if "update" in one.name]
    (part,) = [one for one in timeline(record(script, max_mb=2)).series if "update" in one.name]
    assert 0 < len(part.values) < len(whole.values) == 4
    assert part.values.items() <= whole.values.items()


def test_a_state_that_begins_with_zeros_is_no_fault_of_the_first_step(tmp_path):
    script = tmp_path / "steps.py"
    script.write_text(
        "import paddle\n"
        "cell, head = paddle.nn.SimpleRNNCell(2, 2), paddle.nn.Linear(2, 1)\n"
        "opt = paddle.optimizer.SGD(0.05, parameters=cell.parameters() + head.parameters())\n"
        "xs, ys, h = paddle.randn([6, 1, 2]), paddle.randn([6, 1, 1]), paddle.zeros([1, 2])\n"
        "for t in range(6):\n"
        "    _, h = cell(xs[t], h.detach())\n"
        "    ((head(h) - ys[t]) ** 2).mean().backward()\n"
        "    opt.step()\n"
        "    opt.clear_grad()\n",
        encoding="utf-8",
    )
    done = run_command("flow", script)
    assert done.returncode == 0, done.stdout
    assert "at first" in done.stdout


def test_tokens_that_each_pass_reads_again_count_once(record):
    def script():
        table = paddle.nn.Embedding(5, 2, padding_idx=0)
        ids = paddle.to_tensor([[1, 0, 2, 0, 3], [4, 2, 0, 1, 3]])
        optimizer = paddle.optimizer.SGD(0.1, parameters=table.parameters())
        for _ in range(3):
            table(ids).square().mean().backward()
            optimizer.step()
            optimizer.clear_grad()

    (found,) = timeline(record(script)).mistakes
    assert "padding_idx=0, and what it looks up is that 3 times, 3 times between others" in found.sentence


def test_a_formula_of_a_long_recurrence_is_cut(record):
    def script():
        layer, x = paddle.nn.SimpleRNN(1, 1, activation="relu"), paddle.full([1, 30, 1], 1e-20)
        for one, value in zip(layer.parameters(), (1.0, 4.0, 0.0, 0.0)):
            one.set_value(paddle.full(one.shape, value))
        (layer(x)[0].sum() * 1e25).backward()

    (born, *_) = gradient_flow(record(script)).reasons
    assert "born in rnn_grad" in born[0]
    assert born[0].endswith("…")
    assert len(born[0]) < 400
