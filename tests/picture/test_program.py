"""Pictures of Programs: as they are written, and as they ran."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.picture import graph
from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.draw.render import dot
from minipaddle.tools.picture.model.mirror import NoBackward, mirror
from minipaddle.tools.picture.picture import Picture
from minipaddle.tools.record import Recorder
from minipaddle.tools.record.sources.program.events import sketch
from tests.support.closing import close_deeper

S = paddle.static
GOLDEN = Path(__file__).parent / "golden"


def built(build):
    """Return the Program that `build` makes, its startup Program, and what `build` returns."""
    main, startup = S.Program(), S.Program()
    with within(EAGER):
        paddle.enable_static()
        with S.program_guard(main, startup), paddle.utils.unique_name.guard():
            made = build()
        paddle.disable_static()
    return main, startup, made


def ran(build, feed):
    """Build and run; return the recording."""
    main, startup, fetches = built(build)
    recorder = Recorder("script.py")
    with within(EAGER), watching(recorder):
        exe = S.Executor()
        exe.run(startup)
        exe.run(main, feed, fetches)
    return recorder.finish()


def dot_of(program):
    """Return the picture as text; lines of this file change."""
    text = to_dot(graph(program).whole, Options(bare=True))
    return re.sub(r"test_program\.py:\d+", "test_program.py:N", text)


def leaf(shape):
    x = S.data("x", shape)
    x.stop_gradient = False
    return x


def pylayer():
    x = leaf([2, 3])
    y = S.nn.static_pylayer(paddle.tanh, [paddle.exp(x)], lambda dy: 2 * dy)
    S.append_backward(paddle.mean(y))


def loop():
    x = leaf([3])
    i, n = paddle.full([1], 0, "int64"), paddle.full([1], 2, "int64")
    i.stop_gradient = n.stop_gradient = True
    _, h = S.nn.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, paddle.tanh(h)), [i, x * 2])
    return [paddle.mean(h), *S.gradients(paddle.mean(h), x)]


def choice():
    x = leaf([3])
    y = S.nn.cond(paddle.sum(x) > 0, lambda: paddle.tanh(x), lambda: paddle.exp(x))
    return S.gradients(y, x)


def net():
    x = S.data("x", [None, 3])
    loss = paddle.mean(S.nn.fc(x, 2, activation="relu"))
    paddle.optimizer.SGD(0.1).minimize(loss)


def shown(whole, *kinds):
    return [node.title for node in whole.nodes.values() if node.kind in kinds]


@pytest.mark.parametrize("build", [pylayer, loop, choice, net], ids=lambda build: build.__name__)
def test_the_dot_text_of_a_program(build):
    """Blocks are frames; gradients stand on the rows of their operators."""
    main, _, _ = built(build)
    golden = GOLDEN / f"program_{build.__name__}.dot"
    assert dot_of(main) == golden.read_text(encoding="utf-8")
    assert dot_of(main) == dot_of(main)


def test_a_program_is_drawn_without_being_run_or_changed():
    main, _, _ = built(net)
    before = str(main)
    picture = graph(main, title="net")
    assert str(main) == before
    assert shown(picture.whole, "op")[:3] == ["mul", "add", "relu"]
    assert shown(picture.whole, "grad") == ["mean_grad", "relu_grad", "add_grad", "mul_grad"]
    assert shown(picture.whole, "update") == ["sgd update", "sgd update"]
    (label,) = [node.results[0] for node in picture.whole.nodes.values() if node.title == "relu"]
    assert (label.shape, label.array) == ((-1, 2), None)


def test_each_iteration_has_its_frame_its_values_and_its_gradients():
    trace = ran(loop, {"x": np.array([0.1, 0.2, 0.3], "f4")})
    whole = mirror(trace)
    titles = [cluster.title for cluster in whole.clusters.values()]
    assert titles == [
        *("while block 1, 2 iterations", "iteration 1", "iteration 2"),
        *("while_grad block 2, 2 iterations", "iteration 2", "iteration 1"),
    ]
    rows = {(whole.nodes[one].title, whole.nodes[other].title): (one, other) for one, other in whole.rows()}
    forward, backward = rows["tanh", "tanh_grad"]
    frames = [whole.clusters[whole.nodes[id_].cluster].title for id_ in (forward, backward)]
    assert frames[0] == frames[1]
    for event in trace.events:
        if event.kind == "grad" and event.op == "tanh_grad":
            (out,) = [trace.values[id_].array for id_ in trace.events[event.origin].outputs]
            (gone_in,), (come_out,) = (
                [trace.values[id_].array for id_ in ids] for ids in (event.inputs, event.outputs)
            )
            np.testing.assert_allclose(come_out, gone_in * (1 - out * out), rtol=1e-6)
            assert trace.values[event.outputs[0]].of == trace.events[event.origin].inputs[0]


@pytest.mark.parametrize("build", [loop, choice])
def test_a_block_and_its_gradient_know_each_other_and_share_a_row_when_closed(build):
    """Open, what is inside stands row by row: there the two stand at different ends of it."""
    whole = mirror(ran(build, {"x": np.ones(3, "f4")}))
    owners = [node for node in whole.nodes.values() if f"c{node.event}" in whole.clusters and node.twin]
    (owner,) = [node for node in owners if node.side == "backward"]
    assert whole.nodes[owner.twin].title == owner.title.removesuffix("_grad")
    assert (owner.twin, owner.id) not in whole.rows()
    assert (owner.twin, owner.id) in close_deeper(whole, 0).rows()
    assert not any((edge.tail, edge.head) == (owner.twin, owner.id) for edge in whole.edges)


def test_after_a_loop_its_variables_are_what_they_were():
    """The last gradient of the loop is with respect to what went in; the operators before it go on from there."""
    trace = ran(loop, {"x": np.ones(3, "f4")})
    (scaled,) = [one for one in trace.events if (one.kind, one.op, one.parent) == ("op", "scale", None)]
    (grad,) = [event for event in trace.events if event.op == "while_grad" and event.kind == "grad"]
    (made,) = [id_ for id_ in grad.outputs if id_ is not None]
    assert trace.values[made].of == scaled.outputs[0]


def power():
    x = leaf([2])
    i = paddle.zeros([1], "int64")
    _, y = S.nn.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [i, paddle.exp(x)])
    return S.gradients(paddle.sum(y), x)


def test_what_the_iterations_of_a_loop_give_for_one_value_is_seen_to_be_added():
    """y = exp(x) x x x: at 2, each factor's gradient is exp(2) 4."""
    whole = mirror(ran(power, {"x": np.array([2.0, 1.0], "f4")}))
    (rule,) = [node for node in whole.nodes.values() if node.title == "while_grad"]
    assert rule.state == "adds what 3 iterations give"
    into = [edge.label for edge in whole.edges if (edge.head, edge.kind) == (rule.id, "gradient")]
    assert into == ["", "+29.56, +2.718", "+29.56, +2.718", "+29.56, +2.718"]
    assert rule.results[1].array.tolist() == pytest.approx([88.6687, 8.1548], rel=1e-4)


def test_the_inside_of_a_block_leads_to_its_operator():
    whole = graph(built(pylayer)[0]).whole
    (forward,) = [node for node in whole.nodes.values() if node.kind == "pylayer"]
    (backward,) = [node for node in whole.nodes.values() if node.kind == "pylayer_grad"]
    heads = {edge.head: whole.nodes[edge.tail].title for edge in whole.edges if edge.kind != "order"}
    assert heads[forward.id] == "assign"
    assert whole.clusters[forward.cluster].title == "pylayer block 1"
    assert whole.clusters[backward.cluster].title == "pylayer_grad block 2"


def test_a_branch_that_did_not_run_says_so():
    whole = mirror(ran(choice, {"x": np.ones(3, "f4")}))
    states = [node.state for node in whole.nodes.values() if node.title == "conditional_block"]
    assert states == ["", "not run: its condition is false"]
    both = graph(built(choice)[0]).whole
    assert {"tanh", "exp"} <= set(shown(both, "op"))


def test_a_program_without_gradients_is_drawn_forward_only():
    main, _, _ = built(lambda: paddle.exp(S.data("x", [2])))
    picture = graph(main)
    assert picture.whole.subtitle == "1 op forward, no backward"
    with pytest.raises(NoBackward):
        graph(S.Program())


def test_a_name_scope_is_a_frame():
    def scoped():
        x = leaf([3])
        with S.name_scope("net"):
            for _ in range(2):
                with S.name_scope("block"):
                    x = paddle.tanh(x)
            x = x * 2
        return S.gradients(paddle.mean(x), x.block.var("x"))

    whole = graph(built(scoped)[0]).whole
    parents = {
        one.title: whole.clusters[one.parent].title if one.parent else None for one in whole.clusters.values()
    }
    forward = {"net/block: name_scope": "net: name_scope", "net/block_1: name_scope": "net: name_scope"}
    assert parents.items() >= (forward | {"net: name_scope": None}).items()
    assert parents["net/block: name_scope backward"] == "net: name_scope backward"
    (scale,) = [node for node in whole.nodes.values() if node.title == "scale"]
    assert whole.clusters[scale.cluster].title == "net: name_scope"
    assert len(mirror(ran(scoped, {"x": np.ones(3, "f4")})).clusters) == 6


def test_forward_stands_at_the_left_whatever_the_frames():
    def several():
        x = S.data("x", [2, 3])
        with S.name_scope("tower"):
            h = S.nn.fc(x, 3)
        i, n = paddle.full([1], 0, "int64"), paddle.full([1], 3, "int64")
        _, h = S.nn.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, paddle.tanh(h)), [i, h])
        y = S.nn.cond(paddle.sum(h) > 0, lambda: h * 2, lambda: h * 3)
        paddle.optimizer.SGD(0.1).minimize(paddle.mean(y))

    whole = graph(built(several)[0]).whole
    if shutil.which("dot"):
        plain = dot(to_dot(whole), "plain").decode()
        left = {name: float(x) for name, x in re.findall(r"^node (\w+) ([\d.]+)", plain, re.MULTILINE)}
        assert all(left[forward] < left[other] for forward, other in whole.rows())


def test_every_call_of_append_backward_is_a_pass():
    def twice():
        x = leaf([3])
        (first,) = S.gradients(paddle.tanh(x) * x, x)
        return S.gradients(first, x)

    main, _, _ = built(twice)
    assert sketch(main).passes == 2
    assert graph(main, pass_number=1).whole.pass_number == 1
    with pytest.raises(NoBackward, match="no pass 3"):
        graph(main, pass_number=3)


def test_the_gradients_of_a_pass_are_the_forward_run_of_the_next():
    def second(x):
        (first,) = S.gradients(paddle.tanh(x * x), x)
        return S.gradients(first, x)

    trace = ran(lambda: second(leaf([3])), {"x": np.ones(3, "f4")})
    whole = mirror(trace)
    nodes = [node for node in whole.nodes.values() if node.side == "forward" and node.op]
    assert [node.title for node in nodes if not node.earlier] == ["multiply", "tanh"]
    assert [node.title for node in nodes if node.earlier == 1][-1] == "accumulate"
    frames = [
        frame.title for frame in whole.clusters.values() if frame.kind == "rule" and frame.side == "forward"
    ]
    assert frames == ["tanh_grad", "multiply_grad"]
    grads = [node for node in whole.nodes.values() if node.kind == "grad"]
    rows = {(whole.nodes[node.twin].title if node.twin else None, node.title) for node in grads}
    assert ("subtract", "subtract_grad") in rows, "what differentiates a part of the rule stands on its row"
    assert ("multiply", "multiply_grad") in rows
    joined = {
        (whole.nodes[edge.tail].title, whole.nodes[edge.head].title)
        for edge in whole.edges
        if edge.kind == "saved"
    }
    assert ("tanh", "subtract") not in joined
    assert ("tanh", "multiply") in joined, "what the rule reads was kept for it"
    lines = Picture(whole, trace).text().splitlines()
    assert lines[1].startswith("x@GRAD #1+2  accumulate")
    assert any("tanh_0.tmp_0  tanh" in line for line in lines)


def test_from_python():
    main, _, _ = built(pylayer)
    picture = main.draw(title="mine", view="backward")
    assert picture.graph.title == "mine"
    assert {node.side for node in picture.graph.nodes.values()} == {"backward"}
    assert "x  leaf" in picture.text()
    assert "<svg" in picture.svg()
    assert "text/plain" in picture._repr_mimebundle_()
    with pytest.raises(TypeError, match="Program"):
        graph(main.global_block())


def test_the_gradient_of_what_a_py_func_was_given_stands_beside_it():
    """Its backward takes what went in, what came out, and the gradient: they are not paired with the gradients."""

    def build():
        x = leaf([2])
        y = S.default_main_program().global_block().create_var(name="y", shape=[2], dtype="float32")
        S.py_func(lambda a: a * 2, x, y, lambda a, y, dy: np.asarray(dy) * 2)
        S.append_backward(paddle.sum(y))
        return [y]

    picture = mirror(ran(build, {"x": np.ones(2, "float32")}))
    (store,) = [node for node in picture.nodes.values() if node.kind == "store"]
    assert picture.nodes[store.twin].title == "x"
