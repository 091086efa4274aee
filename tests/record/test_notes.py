"""Notes are written down later than they are made; a recording of one training step."""

import pytest

from minipaddle import paddle
from minipaddle.tools.picture.model.mirror import mirror
from tests.support.recordings import kinds, leaf, named, recorded

# -- notes are written down later than they are made ---------------------------------------------------------------


def test_sums_of_gradients_are_those_of_then_though_memory_was_overwritten_since():
    def script():
        x = leaf(1.0, 2.0)
        y = x * 3 + x * 4 + x * 5
        y.sum().backward()
        with paddle.no_grad():
            x.grad.zero_()
            x.add_(paddle.ones([2]))

    trace = recorded(script)
    sums = [
        trace.values[event.outputs[0]].array.tolist() for event in trace.events if event.kind == "accumulate"
    ]
    assert sums[-1] == [12.0, 12.0]
    assert sums[0] in ([9.0, 9.0], [8.0, 8.0], [7.0, 7.0])
    assert named(trace, "x.grad")[0] == [12.0, 12.0]
    assert named(trace, "x")[0] == [1.0, 2.0]


def test_statistics_of_sums_are_known_where_no_numbers_are_kept():
    def script():
        x = leaf(1.0, 2.0)
        (x * 3 + x * 4 + x * 5).sum().backward()

    trace = recorded(script, max_mb=0)
    sums = [trace.values[event.outputs[0]].stats.mean for event in trace.events if event.kind == "accumulate"]
    assert sums[-1] == 12.0
    assert sums[0] in (9.0, 8.0, 7.0)


def test_a_view_of_overwritten_memory_keeps_its_numbers():
    def script():
        x = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])
        turned = paddle.transpose(x, [1, 0])
        turned + 0
        x.zero_()

    trace = recorded(script)
    assert named(trace, "turned")[0] == [[1.0, 3.0], [2.0, 4.0]]


@pytest.mark.parametrize(
    "line", ["box.y = x * 2", "y = [x * 2][0]", "y, z = x * 2, x * 3", "(y := x * 2)", "y = x; y += 2"]
)
def test_names_come_from_every_way_of_keeping_a_result(tmp_path, line):
    script = tmp_path / "script.py"
    script.write_text(f"def go(x, box):\n    {line}\n    return x + 1\n")
    space = {}
    exec(compile(script.read_text(), str(script), "exec"), space)

    class Box:
        pass

    trace = recorded(lambda: space["go"](leaf(1.0), Box()))
    names = {value.name for value in trace.values}
    assert ("y" in names) == ("box" not in line)


# -- one training step ---------------------------------------------------------------------------------------------


def train_three_steps():
    w = paddle.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
    optimizer = paddle.optimizer.SGD(0.5, parameters=[w])
    for _ in range(3):
        loss = (w * w).sum()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()


@pytest.mark.parametrize(("step", "start"), [(1, 1.0), (2, 0.0), (3, 0.0)])
def test_one_training_step_is_chosen_by_its_backward_pass(step, start):
    trace = recorded(train_three_steps, step=step)
    assert [event.pass_number for event in trace.events if event.kind == "backward"] == [step]
    assert kinds(trace)[0] == "op"
    assert kinds(trace)[-1] == "update"
    assert trace.value(trace.events[0].inputs[0]).array.tolist() == [start, start]
    assert len(trace.notes) == (step < 3)


def test_without_an_update_there_is_no_end():
    def script():
        x = leaf(1.0)
        for _ in range(3):
            (x * 2).backward()

    assert recorded(script, step=1).passes == 3


@pytest.mark.parametrize(
    ("step", "said"), [(None, "pass 3 of 3"), (1, "pass 1"), (2, "pass 2"), (3, "pass 3")]
)
def test_how_many_passes_there_were_is_not_said_of_one_training_step(step, said):
    """After step 1 the recording has one pass: the script went on all the same."""
    trace = recorded(train_three_steps, step=step)
    assert mirror(trace).subtitle.rpartition(", ")[2] == said


def test_how_many_passes_there_were_is_not_said_of_a_part_of_them():
    """Passes 2 to 12 are eleven: none of them is "of 11"."""

    def script():
        x = leaf(1.0)
        optimizer = paddle.optimizer.SGD(0.1, parameters=[x])
        for step in range(12):
            (x * x).sum().backward()
            if step == 0:
                optimizer.step()

    trace = recorded(script, step=2)
    assert trace.pass_numbers == list(range(2, 13))
    assert mirror(trace, 5).subtitle.endswith("pass 5")
