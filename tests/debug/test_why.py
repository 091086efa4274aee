"""`why`: the formula, the numbers put in, and what it says in words."""

import re

import numpy as np
import pytest

import minipaddle as paddle
import minipaddle.nn.functional as F
from minipaddle.debug import Session
from minipaddle.explain.why import why
from minipaddle.words.events import title
from tests.support.runs import Squash


def leaf(*rows):
    return paddle.to_tensor(list(rows), stop_gradient=False)


def asked(record, function, target, **options):
    session = Session(record(function, **options))
    session.goto(target)
    return why(session.trace, session.event)


def computes(line):
    """Take ``name[0] = 2 * 3 + 1 = 7`` apart; say whether its middle part gives its last."""
    _, middle, last = line.split(" = ")
    return np.isclose(*(float(eval(side, dict(vars(np)))) for side in (middle, last)), rtol=2e-3, atol=1e-4)


def linear():
    w, b = leaf([0.5, -0.3], [0.2, 0.8]), leaf(0.1, -0.1)
    x = paddle.to_tensor([[1.0, 2.0], [3.0, -4.0], [0.5, 0.25]])
    h = F.relu(x @ w + b)
    loss = (h * h).mean()
    loss.backward()


@pytest.mark.parametrize(
    ("target", "rule"),
    [
        ("w@GRAD", r"w@GRAD = x\.T @ matmul_0@GRAD"),
        ("b@GRAD", r"b@GRAD = sum\(\w+@GRAD, 0\)"),
        ("h@GRAD", r"h@GRAD = multiply_\d+@GRAD \* h"),
        ("loss", r"loss = mean\(multiply_\d+\)"),
        ("h", r"h = maximum\(add_1, 0\)"),
        ("w.grad", r"w\.grad \+= w@GRAD"),
    ],
)
def test_the_rule_is_said_in_the_users_names(record, target, rule):
    assert any(re.fullmatch(rule, line) for line in asked(record, linear, target).rule)


@pytest.mark.parametrize(
    "target", ["w@GRAD", "b@GRAD", "h@GRAD", "loss", "matmul_0", "h", "add_1", "add_1@GRAD"]
)
def test_the_numbers_put_in_give_the_number_shown(record, target):
    numbers = asked(record, linear, target).numbers
    assert numbers
    assert all(computes(line) for line in numbers)


def test_a_product_is_written_as_row_times_column(record):
    answer = asked(record, linear, "w@GRAD")
    assert re.fullmatch(r"w@GRAD\[\d, \d\] = \S+ \* \S+ \+ \S+ \* \S+ \+ \S+ \* \S+ = \S+", answer.numbers[0])


def test_long_sums_are_cut_and_counted(record):
    def script():
        x = leaf(*np.linspace(0, 1, 50).tolist())
        total = x.sum()
        total.backward()

    (line,) = asked(record, script, "total").numbers
    assert line.startswith("total = 0 + 0.02041 + 0.04082 + ... (50 terms) = 25")


def said(record, function, target):
    return " | ".join(asked(record, function, target).says)


def test_broadcast_pass_through_zeros_and_seed_are_explained(record):
    assert "b [2] was broadcast to [3, 2], so its gradient is summed over axis 0" in said(
        record, linear, "b@GRAD"
    )
    assert "add passes the gradient on to matmul_0 as it is" in said(record, linear, "b@GRAD")

    def cut():
        h = leaf(1.0, -1.0, 0.0)
        F.relu(h).sum().backward()

    assert "2 of 3 elements become zero: there h was not positive, and relu is flat" in said(
        record, cut, "h@GRAD"
    )
    assert "x gets none: stop_gradient" in said(record, linear, "w@GRAD")

    def short():
        x = leaf(2.0)
        y = x.sum()
        y.backward()

    assert "backward starts here, with y@GRAD = 1" in said(record, short, "x@GRAD")

    def seeded():
        x = leaf(2.0)
        y = x * 3
        y.backward(paddle.to_tensor([5.0]))

    assert "backward starts here, with the y@GRAD that it was given" in said(record, seeded, "x@GRAD")


def test_accumulation_names_both_users(record):
    def script():
        x = leaf(2.0)
        y = x * 3 + paddle.exp(x)
        y.backward()

    session = Session(record(script))
    while session.event.kind != "accumulate":
        session.step()
    answer = why(session.trace, session.event)
    assert re.search(r"x was used more than once \(\w+ test_why.py:\d+, \w+ test_why.py:", answer.says[0])
    assert computes(answer.numbers[0])


def test_a_pylayer_shows_the_users_own_lines_and_what_it_saved(record):
    def script():
        h = leaf(0.3, 0.2)
        z = Squash.apply(h)
        z.sum().backward()

    answer = asked(record, script, "h@GRAD")
    assert answer.rule == [
        "slope = 1 - paddle.square(y)",
        "grad = dy * slope",
        "h@GRAD = z@GRAD * (1 - z * z)",
    ]
    assert [line.split("  ")[0] for line in answer.numbers[:4]] == ["z", "z@GRAD", "slope", "grad"]
    assert computes(answer.numbers[4].partition("[")[0] + answer.numbers[4].partition("]")[2])
    assert "ctx.saved_tensor() gave back z, kept by forward" in answer.says
    forward = asked(record, script, "z")
    assert forward.rule == ["y = paddle.tanh(x)"]
    assert "kept for backward: z" in forward.says


@pytest.mark.parametrize("make", [paddle.optimizer.SGD, paddle.optimizer.Momentum])
def test_an_update_says_how_the_parameter_moved(record, make):
    def script():
        w = paddle.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(3.0))
        optimizer = make(0.5, parameters=[w])
        for _ in range(2):
            (w * w).sum().backward()
            optimizer.step()
            optimizer.clear_grad()

    session = Session(record(script))
    session.resume()
    answer = why(session.trace, session.event)
    assert answer.rule[-1].startswith("w = w - 0.5 * ")
    assert computes(answer.numbers[0])


def test_matmul_says_the_formula_of_this_call(record):
    def script():
        x, y = leaf([1.0, 2.0], [3.0, 4.0]), leaf([1.0, 0.0], [0.0, 1.0])
        z = paddle.matmul(x, y, transpose_y=True)
        z.sum().backward()

    answer = asked(record, script, "x@GRAD")
    assert answer.rule == ["x@GRAD = z@GRAD @ y", "y@GRAD = z@GRAD.T @ x"]


@pytest.mark.parametrize("max_mb", [256, 0])
def test_without_numbers_the_formula_is_the_same(record, max_mb):
    def rules():
        session = Session(record(linear, max_mb=max_mb))
        return [why(session.trace, session.trace.events[index]).rule for index in session.stops]

    assert rules() == [why_.rule for why_ in whys(record)]


def whys(record):
    session = Session(record(linear))
    return [why(session.trace, session.trace.events[index]) for index in session.stops]


def many_operators():
    paddle.seed(1)
    net = paddle.nn.Sequential(
        paddle.nn.Conv2D(1, 2, 3), paddle.nn.BatchNorm2D(2), paddle.nn.GELU(), paddle.nn.MaxPool2D(2, 2),
        paddle.nn.Flatten(), paddle.nn.Linear(8, 4), paddle.nn.LayerNorm(4), paddle.nn.Dropout(0.5),
    )  # fmt: skip
    optimizer = paddle.optimizer.Adam(parameters=net.parameters())
    x = paddle.randn([2, 1, 6, 6])
    a, b = paddle.split(net(x), 2, axis=1)
    joined = paddle.concat([a.transpose([1, 0]), paddle.stack([b[0], b[1]])], axis=0)
    loss = (
        F.cross_entropy(joined, paddle.to_tensor([0, 1, 1, 0])) + a.max() + paddle.where(b > 0, a, b).norm()
    )
    loss.backward()
    optimizer.step()


@pytest.mark.parametrize("max_mb", [256, 0])
def test_every_event_of_a_network_has_an_answer_and_all_its_numbers_are_true(record, max_mb):
    session = Session(record(many_operators, max_mb=max_mb))
    for index in session.stops:
        answer = why(session.trace, session.trace.events[index])
        assert answer.rule
        assert answer.says
        text = "\n".join(answer.rule + answer.numbers)
        assert "False =" not in text
        assert "None =" not in text
        plain = [
            line
            for line in answer.numbers
            if line.count(" = ") == 2 and "..." not in line and "erf" not in line
        ]
        assert all(computes(line) for line in plain)


def answers(record, script):
    """`why` at every stop of a script, by the title of the stop; the last one of that title."""
    session = Session(record(script))
    found = {title(session.event): why(session.trace, session.event)}
    while not session.at_end:
        session.step()
        found[title(session.event)] = why(session.trace, session.event)
    return found


def test_paddle_grad_returns_and_stores_nothing(record):
    def script():
        x = leaf([1.0, 2.0])
        (g,) = paddle.grad((x * x * x).sum(), [x], create_graph=True)
        (g * g).sum().backward()

    found = answers(record, script)
    assert found["x@GRAD"].says == ["paddle.grad returns this gradient of x; x.grad stays as it is"]
    assert "hook" not in str([answer.says for answer in found.values()])
    assert any("backward starts here" in line for answer in found.values() for line in answer.says)
    stored = [event.note for event in record(script).events if event.kind == "store"]
    assert stored == ["returned by paddle.grad", "first write"]


def test_a_hook_is_named_with_its_line(record):
    def script():
        x = leaf([1.0, 2.0])
        y = x * 3
        y.register_hook(lambda g: g * 2)
        y.sum().backward()

    said = answers(record, script)["scale_grad"].says
    assert any(line.startswith("a hook (test_why.py:") and "replaced y@GRAD" in line for line in said)


def test_what_adam_does_is_three_formulas_that_come_out(record):
    def script():
        w = paddle.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(3.0))
        optimizer = paddle.optimizer.Adam(0.5, parameters=[w])
        for _ in range(2):
            (w * w).sum().backward()
        optimizer.step()

    answer = answers(record, script)["adam (update)"]
    assert [line.split(" = ")[0] for line in answer.rule] == ["moment1", "moment2", "w"]
    assert "w.grad" in answer.rule[0]  # a sum of two passes, and yet known by its name
    assert len(answer.numbers) == 3
    assert all(computes(line) for line in answer.numbers)


def test_cross_entropy_is_explained_forward_and_back(record):
    def script():
        x = leaf([1.0, 2.0, 0.5], [0.1, 0.2, 0.3])
        loss = paddle.nn.functional.cross_entropy(x, paddle.to_tensor([2, 0]))
        loss.backward()

    found = answers(record, script)
    forward = found["cross_entropy_with_softmax"]
    assert "= exp(x) / sum(exp(x), 1, keepdims=True)" in forward.rule[0]
    assert "= -log(take_along_axis(" in forward.rule[1]
    back = found["cross_entropy_with_softmax_grad"]
    assert "minus 1 at the label" in back.says[0]
    assert "== 2)" in back.numbers[0]
    assert "2 elements share in the mean" in " ".join(found["mean_all_grad"].says)


def test_an_index_is_written_as_in_the_script(record):
    def script():
        x = leaf([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
        rows = paddle.to_tensor([1, 1])
        a = x[0, 1:]
        b = x[rows]
        (a.sum() + b.sum()).backward()

    found = answers(record, script)
    assert found["slice"].rule == ["a = x[0, 1:]"]
    assert found["index_elementwise_get"].rule == ["b = x[rows]"]
    assert found["slice_grad"].rule == ["x@GRAD = zeros([2, 3]), and a@GRAD [2] added at [0, 1:]"]
    assert found["index_elementwise_get_grad"].rule == [
        "x@GRAD = zeros([2, 3]), and b@GRAD [2, 3] added at [rows]"
    ]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda x: x.sum(), "each gets"),
        (lambda x: x.max(), "only the element that was taken"),
        (lambda x: paddle.tanh(x * 100).sum(), "2 of 3 elements are saturated"),
        (lambda x: (x * x).sum(), "x stands there 2 times"),
    ],
)
def test_the_sentence_that_a_teacher_would_add(record, function, said):
    def script():
        x = leaf([1.0, 0.0, -1.0])
        function(x).backward()

    assert any(said in line for answer in answers(record, script).values() for line in answer.says)


def test_why_nothing_is_recorded_is_told_apart(record):
    def script():
        x = leaf([1.0, 2.0])
        data = paddle.to_tensor([1.0, 2.0])
        a = data * 2
        with paddle.no_grad():
            b = x * a
        c = paddle.argmax(x)
        del b, c

    session = Session(record(script))
    said = {}
    for position in range(len(session.stops)):
        session.position = position
        said[session.event.title] = why(session.trace, session.event).says[-1]
    assert "no input wants a gradient" in said["scale"]
    assert said["multiply"].endswith("though x wants a gradient: paddle.no_grad was on")
    assert "argmax has no gradient" in said["argmax"]


def test_what_wanted_a_gradient_when_it_was_made_may_have_been_stopped_since(record):
    def script():
        y = paddle.nn.functional.relu(leaf([1.0, -2.0]))
        y.stop_gradient = True
        z = y * 2
        del z

    session = Session(record(script))
    session.position = 1
    said = why(session.trace, session.event).says[-1]
    assert said.endswith("though y wanted a gradient: stop_gradient was set to True since then")


def test_the_element_that_is_put_in_is_the_one_that_is_not_a_number(record):
    def script():
        x = leaf([2.0, -1.0, 0.0])
        y = paddle.log(x)
        del y

    session = Session(record(script))
    (numbers,) = why(session.trace, session.event).numbers
    assert numbers.endswith("1] = log(-1) = nan")


def test_what_a_layer_is_given_first_has_a_name_and_its_forward_is_no_tape(record):
    class Plain(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, *grads):
            return grads[0] * 2

    def script():
        y = Plain.apply(leaf([1.0, 2.0]))
        y.backward(paddle.to_tensor([[3.0, 1.0]]))

    session = Session(record(script))
    session.goto("1")
    assert "Plain.forward is not recorded" in why(session.trace, session.event).says[-1]
    enter = next(event for event in session.trace.events if event.op == "backward" and event.kind == "enter")
    assert not session.trace.known(enter.inputs)[0].name.startswith("v")


def test_an_error_in_backward_has_the_line_of_backward(record):
    def script():
        w = leaf([1.0, 2.0])
        y = paddle.tanh(w)
        z = y * 2
        y.add_(w)
        with pytest.raises(RuntimeError):
            z.sum().backward()

    error = next(event for event in record(script).events if event.kind == "error")
    assert error.where is not None
    assert "backward()" in error.where.text


def test_a_function_made_by_to_static_runs_as_a_whole(record):
    @paddle.jit.to_static
    def f(x):
        return (x * x).sum()

    found = answers(record, lambda: f(leaf([1.0, 2.0])).backward())
    assert "runs as a whole" in found["f_grad"].says[-1]
    assert "runs as a whole" in found["to_static: f"].says[0]


@pytest.mark.parametrize("nesterov", [False, True])
@pytest.mark.parametrize("decay", [None, 0.5, 0.0001])
def test_weight_decay_is_in_the_rule_of_momentum_though_the_numbers_hide_it(record, decay, nesterov):
    def script():
        layer = paddle.nn.Linear(2, 1)
        optimizer = paddle.optimizer.Momentum(
            0.1, 0.9, layer.parameters(), use_nesterov=nesterov, weight_decay=decay
        )
        layer(paddle.ones([1, 2])).sum().backward()
        optimizer.step()

    session = Session(record(script))
    answer = why(session.trace, next(event for event in session.trace.events[::-1] if event.kind == "update"))
    velocity, parameter = answer.rule
    assert velocity.endswith(".bias" if decay else ".grad")
    assert (f"{decay} * " in velocity) == bool(decay)
    assert ("0.9 * velocity" in parameter) == nesterov
    assert len(answer.numbers) == 2


def test_the_rule_of_rmsprop_stands_in_the_order_in_which_it_is_made(record):
    def script():
        layer = paddle.nn.Linear(2, 1)
        optimizer = paddle.optimizer.RMSProp(0.1, momentum=0.9, parameters=layer.parameters())
        layer(paddle.ones([1, 2])).sum().backward()
        optimizer.step()

    session = Session(record(script))
    answer = why(session.trace, next(event for event in session.trace.events[::-1] if event.kind == "update"))
    square, momentum, parameter = (line.partition(" = ") for line in answer.rule)
    assert square[0] in momentum[2]
    assert momentum[0] in parameter[2]


@pytest.mark.parametrize("replacing", [True, False])
def test_the_grad_of_a_leaf_with_hooks_names_the_one_that_replaced_it(record, replacing):
    def script():
        w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        if replacing:
            w.register_hook(lambda grad: grad * 10)
        w.register_hook(lambda grad: None)
        loss = (w * 3).sum()
        loss.register_hook(lambda grad: None)
        loss.backward()

    session = Session(record(script))
    session.goto("end")
    line = [event.where for event in session.trace.events if event.title == "scale"][-1]
    said = [
        one for one in why(session.trace, session.event).says if "replaced w@GRAD before it came here" in one
    ]
    assert bool(said) == replacing
    assert not replacing or f":{line.number})" in said[0]
    session.go_to_backward()
    assert not any("replaced" in one for one in why(session.trace, session.event).says)


def test_rules_have_no_python_that_decides_about_arguments(record):
    def script():
        y = paddle.clip(leaf(0.2, 0.9), 0.0, 0.5)
        y.var().backward()

    (rule,) = asked(record, script, "y").rule
    assert re.fullmatch(r"y = clip\(\w+, 0, 0.5\)", rule)
    assert asked(record, script, "y@GRAD").rule == ["y@GRAD = (y - mean(y)) * var_1@GRAD * 2"]


@pytest.mark.parametrize(
    ("function", "passes"),
    [
        (F.relu, True),
        (lambda x: x * paddle.ones([2]), False),
        (lambda x: x / paddle.ones([2]), False),
        (F.relu6, True),
    ],
)
def test_a_gradient_is_passed_on_where_no_number_of_the_users_is_multiplied(record, function, passes):
    def run():
        x = leaf(0.5, 2.0)
        function(x).sum().backward()

    trace = record(run)
    (grad,) = [event for event in trace.events if event.kind == "grad" and event.op != "reduce_sum_grad"]
    told = [one for one in why(trace, grad).says if one.endswith("to x as it is")]
    assert bool(told) is passes


def test_each_gradient_knows_its_own_formula(record):
    def run():
        a, b = leaf(3.0), leaf(2.0)
        (a / b).backward()

    trace = record(run)
    (grad,) = [event for event in trace.events if event.op == "elementwise_div_grad"]
    formulas = why(trace, grad).formulas
    assert [formulas[id_].split(" = ")[0] for id_ in grad.outputs] == ["a@GRAD", "b@GRAD"]
