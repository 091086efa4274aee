"""Names at the prompt: parameters by their network, titles of cards, variables that were bound again."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.debug import Prompt, Session
from minipaddle.tools.debug.cursor import NoMove
from minipaddle.tools.words.terminal import ASCII


def two_networks():
    G = paddle.nn.Sequential(paddle.nn.Linear(3, 3), paddle.nn.ReLU())
    D = paddle.nn.Sequential(paddle.nn.Linear(3, 1))
    x = paddle.ones([2, 3])
    h = G(x)
    h = paddle.tanh(h)
    loss = D(h).sum()
    loss.backward()
    return G, D, loss


def one_network():
    net = paddle.nn.Sequential(paddle.nn.Linear(3, 2))
    head = paddle.nn.Linear(2, 1)
    head(net(paddle.ones([1, 3]))).sum().backward()
    return net, head


def shown(session, line):
    said = []
    prompt = Prompt(session, ASCII, said.append)
    prompt.run(line)
    assert not prompt.failed, said
    return said


def test_two_networks_that_share_names_are_told_apart(record):
    session = Session(record(two_networks))
    assert {"G.0.weight", "D.0.weight", "G.0.weight@GRAD", "D.0.bias.grad"} <= set(session.names)
    assert "0.weight" not in session.names
    assert session.find("G.0.weight").shape == (3, 3)
    assert session.find("D[0].weight").shape == (3, 1)
    assert session.goto("G.0.weight.grad").title == "G.0.weight"


@pytest.mark.parametrize("name", ["0.weight", "net.0.weight", "net[0].weight"])
def test_a_parameter_goes_by_its_network_too(record, name):
    session = Session(record(one_network))
    assert session.find(name).shape == (3, 2)
    assert shown(session, f"print {name}")[0].startswith("0.weight")
    assert shown(session, f"why {name}")[0].startswith("the gradient of 0.weight is well")


def test_a_parameter_of_a_single_layer_goes_by_its_variable(record):
    assert Session(record(one_network)).find("head.weight").shape == (2, 1)


def test_names_within_expressions(record):
    session = Session(record(one_network))
    assert shown(session, "print net.0.weight.sum() - net.0.weight.sum()") == ["0.0"]


@pytest.mark.parametrize("title", ["relu_grad", "tanh", "G.0.bias.grad"])
def test_the_title_of_a_card_is_a_place_to_go_to(record, title):
    session = Session(record(two_networks))
    session.goto(title)
    assert shown(session, "list 1")
    assert any(title in line for line in shown(session, "list 1") if line.startswith(">"))


def test_a_variable_that_was_bound_again_is_found_twice(record):
    session = Session(record(two_networks))
    session.goto("h")
    first = session.event.title
    session.goto("h")
    assert (first, session.event.title) == ("relu", "tanh")


def test_what_was_computed_was_not_there_before(record):
    def script():
        w = paddle.to_tensor([1.0], stop_gradient=False)
        y = w * 3
        y.register_hook(lambda grad: grad * 2)
        y.backward(paddle.to_tensor([5.0]))
        return w

    session = Session(record(script))
    with pytest.raises(
        NoMove, match="no event makes a value called w: it was there before; do you mean w@GRAD"
    ):
        session.goto("w")
    session.goto("y@GRAD")
    assert session.event.kind in ("enter", "grad")


@pytest.mark.parametrize("name", ["G[0]", "G.0"])
def test_a_layer_is_a_name(record, name):
    session = Session(record(two_networks))
    session.goto("end")
    assert session.goto(name).title == "matmul"
    assert session.event.scope.names == ("0", "G.0")
    first, second = shown(session, f"why {name}")
    assert first.startswith("the gradient of G.0.weight is")
    assert second.startswith("the gradient of G.0.bias is")
    said = []
    prompt = Prompt(session, ASCII, said.append)
    prompt.run(f"print {name} + 1")
    prompt.run(f"tensor {name}")
    assert said[-1] == f"*** there is no {name}: it is a layer; its parameters are G.0.weight, G.0.bias"


def stops(session, *lines):
    session.goto("0")
    for line in lines:
        shown(session, line)
    found = [session.resume() for _ in range(20) if not session.at_end]
    there = session.breakpoints.values()
    return [event.title for event in found if any(one.spec.holds(session, event) for one in there)]


@pytest.mark.parametrize("spec", ["G[0]", "layer:G.0", "layer:G[0]"])
def test_what_runs_in_a_layer_and_its_gradients_are_stopped_at(record, spec):
    session = Session(record(two_networks))
    assert stops(session, f"break {spec}") == ["matmul", "add", "add", "matmul"]


def test_specs_know_parameters_by_their_index(record):
    session = Session(record(two_networks))
    assert stops(session, "break var:D[0].weight") == stops(session, "delete", "break var:D.0.weight") != []


def test_a_watch_goes_by_what_holds_the_value(record):
    def script():
        w = paddle.to_tensor([1.0, 2.0])
        other = w
        for _ in range(2):
            other.add_(paddle.ones([2]))
        h = w * 2
        for _ in range(2):
            h = h + 1

    session = Session(record(script))
    assert stops(session, "watch w") == ["add", "add"]
    assert stops(session, "delete", "watch h") == ["scale", "scale", "scale"]


def test_a_layer_is_watched_by_its_parameters(record):
    def script():
        net = paddle.nn.Sequential(paddle.nn.Linear(2, 1), paddle.nn.Linear(1, 1))
        optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
        net(paddle.ones([1, 2])).sum().backward()
        optimizer.step()

    assert stops(Session(record(script)), "watch net[0]") == ["sgd", "sgd"]


@pytest.mark.parametrize("seed", range(4))
def test_a_name_means_what_it_was_bound_to_at_the_cursor(record, seed):
    chance = np.random.default_rng(seed)

    def script():
        w = paddle.to_tensor([2.0], stop_gradient=False)
        for _ in range(6):
            x = paddle.to_tensor([float(chance.integers(2))])
            y = x * w
            if chance.integers(2):
                x = paddle.to_tensor([float(chance.integers(2))])
                (w * w).backward()
                y = x + y
            y.backward()
            if chance.integers(2):
                w.grad = paddle.to_tensor([1.0])

    session = Session(record(script))
    read = 0
    for event in session.trace.events:
        for value in session.trace.known(event.inputs):
            if value.name in ("x", "w.grad", "w"):
                session.go_to_event(event.index)
                assert session.find(value.name) is value, event
                read += 1
    assert read > 6


def test_a_tensor_is_there_since_to_tensor_made_it(record):
    def script():
        x = paddle.to_tensor([1.0], stop_gradient=False)
        y = x * x
        x = paddle.to_tensor([1.0])
        y.backward()
        return x + x

    session = Session(record(script))
    known = [session.made("x", event.index).stop_gradient for event in session.trace.events]
    assert known == [event.index > 0 for event in session.trace.events]


class Trainer:
    """Has a network that no variable holds."""

    def __init__(self):
        self.head = paddle.nn.Linear(2, 2)

    def go(self, x):
        return self.head(x)


def handed(model, x):
    return model(x)


class OfFc(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = paddle.nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(x)


kept = paddle.nn.Linear(2, 2)


def test_a_layer_goes_by_what_holds_it_be_it_a_global_or_an_attribute(record):
    """It was linear_0 if no variable of the caller held it, and `model` if it was a function's argument."""

    def script():
        G, D = OfFc(), OfFc()
        fc = paddle.nn.Linear(2, 2)
        x = Trainer().go(kept(handed(fc, paddle.ones([2, 2]))))
        handed(D, handed(G, x)).sum().backward()

    session = Session(record(script))
    assert {"G", "D", "fc", "kept", "self.head"} == session._networks
    weights = {value.name: value.id for value in session.trace.values if value.kind == "parameter"}
    names = ("G.fc", "D.fc", "fc", "kept", "self.head")
    assert set(weights) == {f"{name}.{which}" for name in names for which in ("weight", "bias")}


def test_a_layer_with_the_name_of_its_network_is_told_apart_from_another(record):
    """`fc.fc.weight` began with the name of the network, and was taken for complete."""

    def script():
        fc, other = OfFc(), OfFc()
        fc(other(paddle.ones([2, 2]))).sum().backward()

    assert {"fc.fc.weight", "other.fc.weight"} <= set(Session(record(script)).names)
