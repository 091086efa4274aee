"""`why` in words: what a hook, an optimizer, a loss or a layer did, and the sentence that a teacher would add."""

import re

import pytest

import minipaddle.paddle.nn.functional as F
from minipaddle import paddle
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.cards import why_name
from minipaddle.tools.explain.why import why
from minipaddle.tools.words.events import title
from tests.support.recordings import asked, computes, leaf


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


def test_what_grad_holds_is_told_of_the_pass_that_put_it_there(record):
    def script():
        x = leaf([2.0, -1.0])
        (g,) = paddle.grad((x * x * x).sum(), [x], create_graph=True)
        ((g - 1.0) ** 2).sum().backward()

    session = Session(record(script))
    [told] = [why_name(session, "x.grad").says]
    assert told[0] == "the gradient of x is well: 264, -24"
    assert not any("returns" in line for line in told)
    assert any(line.startswith("x was used more than once") for line in told)


def test_a_hook_is_named_with_its_line(record):
    def script():
        x = leaf([1.0, 2.0])
        y = x * 3
        y.register_hook(lambda g: g * 2)
        y.sum().backward()

    said = answers(record, script)["scale_grad"].says
    assert any(line.startswith("a hook (test_why_says.py:") and "replaced y@GRAD" in line for line in said)


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
    assert "no input requires gradient" in said["scale"]
    assert said["multiply"].endswith("though x requires gradient: paddle.no_grad was on")
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
    assert said.endswith("though y required gradient: stop_gradient was set to True since then")


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
    assert square[0] == "mean_square"
    assert square[2].startswith("mean_square * 0.95")
    assert square[0] in momentum[2]
    assert momentum[0] in parameter[2]


@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("Adamax", ["moment", "inf_norm"]),
        ("Adadelta", ["avg_squared_grad"]),
        ("Lamb", ["moment1", "moment2", "beta1_pow", "beta2_pow"]),
    ],
)
def test_the_state_of_an_optimizer_is_called_the_same_before_and_after(record, name, states):
    def script():
        w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        optimizer = getattr(paddle.optimizer, name)(learning_rate=0.1, parameters=[w])
        (w * w).sum().backward()
        optimizer.step()

    trace = record(script)
    (update,) = [event for event in trace.events if event.kind == "update"]
    rule = why(trace, update).rule
    made = [one for line in rule for one in line.partition(" = ")[0].split(", ")]
    assert [one for one in made if one in states] == states
    assert all(
        re.search(rf"\b{state}\b", " ".join(line.partition(" = ")[2] for line in rule)) for state in states
    )


def test_data_keep_their_name_though_a_slot_stands_in_it(record):
    def script():
        my_x_rate = paddle.to_tensor([1.0, 2.0])
        return my_x_rate * paddle.to_tensor([3.0])

    trace = record(script)
    assert "= my_x_rate * " in why(trace, trace.events[0]).rule[0]


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
