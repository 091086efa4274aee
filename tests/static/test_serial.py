"""Programs as text: what is read back prints, runs and trains as what was written; bad files are refused."""

import json

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.static.files.encode import Damaged, decoded, encoded
from minipaddle.paddle.static.files.serialize import program_from_text, text_of_program

S = paddle.static
pytestmark = pytest.mark.usefixtures("building")
F = paddle.nn.functional
X = np.array([[1.0, -2.0, 3.0], [0.5, 0.25, -1.0]], "float32")


def placeholder():
    x = S.data("x", [-1, 3], "float32")
    x.stop_gradient = False
    return x


def trained():
    x = placeholder()
    hidden = F.dropout(F.relu(S.nn.fc(x, 4)), 0.5)
    loss = paddle.mean(F.square_error_cost(S.nn.fc(hidden, 1), S.data("label", [-1, 1])))
    paddle.optimizer.Adam(0.1, weight_decay=0.1, grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0)).minimize(loss)
    return loss


def branches():
    x = placeholder()
    y = S.nn.cond(paddle.mean(x) > 0, lambda: x * 2.0, lambda: paddle.tanh(x))
    (grad,) = S.gradients([y], [x])
    return grad


def loop():
    x, i = placeholder(), paddle.zeros([1], "int64")
    _, y = S.nn.while_loop(lambda i, y: i < 3, lambda i, y: [i + 1, y * x], [i, x * 1.0])
    (grad,) = S.gradients([y], [x])
    return grad


def py_layer():
    x = placeholder()
    y = S.nn.static_pylayer(lambda a: paddle.exp(a), [x], lambda d: d * 3.0)
    (grad,) = S.gradients([y * y], [x])
    return grad


def indexing():
    x = placeholder()
    y = x[..., 1:] + paddle.reshape(x, [paddle.shape(x)[0], -1])[:, :2] + paddle.assign(X)[0, 0]
    (grad,) = S.gradients([paddle.transpose(y, [1, 0])], [x])
    return grad


def normalized():
    y = paddle.nn.BatchNorm1D(3)(placeholder())
    paddle.optimizer.SGD(0.1).minimize(paddle.mean(y * y))
    return y


def second_gradient():
    x = placeholder()
    (first,) = S.gradients([paddle.maximum(x, x * x)], [x])
    (second,) = S.gradients([first * x], [x])
    return second


PROGRAMS = [trained, branches, loop, py_layer, indexing, normalized, second_gradient]


def run(program, fetch, scope):
    exe = S.Executor()
    paddle.seed(3)
    with S.scope_guard(scope):
        exe.run(S.default_startup_program())
        feed = {"x": X, "label": X[:, :1]}
        given = {name: feed[name] for name in feed if program.global_block().has_var(name)}
        return [exe.run(program, given, [fetch.name])[0] for _ in range(2)]


@pytest.mark.parametrize("build", PROGRAMS)
def test_what_is_read_prints_and_runs_as_what_was_written(build):
    fetch = build()
    main = S.default_main_program()
    again, _ = program_from_text(text_of_program(main))
    assert str(again) == str(main)
    assert np.array_equal(run(again, fetch, S.Scope()), run(main, fetch, S.Scope()))


@pytest.mark.parametrize("build", PROGRAMS)
def test_writing_what_was_read_gives_the_same_text(build):
    build()
    text = text_of_program(S.default_main_program())
    assert text_of_program(program_from_text(text)[0]) == text


def test_what_is_read_can_be_differentiated():
    y = S.nn.static_pylayer(lambda a: paddle.exp(a), [placeholder()], lambda d: d * 3.0)
    again, _ = program_from_text(text_of_program(S.default_main_program()))
    block = again.global_block()
    (grad,) = S.gradients([block.var(y.name)], [block.var("x")])
    assert np.array_equal(S.Executor().run(again, {"x": X}, [grad])[0], np.full_like(X, 3.0))


def test_what_is_read_can_be_cloned_for_test():
    trained()
    again, _ = program_from_text(text_of_program(S.default_main_program()))
    kinds = [op.type for op in again.clone(for_test=True).global_block().ops]
    assert "adam" not in kinds
    assert "dropout" in kinds


@pytest.mark.parametrize(
    "value",
    [
        None, True, 3, -2.5, float("inf"), "text", [1, [2.0]], (1, (None,)), slice(1, None, -1), ..., 1 + 2j,
        np.dtype("float32"), {"a": (1,)},
    ],
)  # fmt: skip
def test_values_come_back(value):
    data = json.loads(json.dumps(encoded(value, str)))
    found = decoded(data, None, None)
    assert type(found) is type(value)
    assert found == value


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype="int64").reshape(2, 3),
        np.random.default_rng(1).standard_normal((20, 7)).astype("float32"),
        np.array([np.nan, np.inf], "float64"),
        np.zeros((0, 3), "float16"),
        np.array(1 + 2j),
        np.array(True),
    ],
)
def test_arrays_come_back_to_the_bit(array):
    found = decoded(json.loads(json.dumps(encoded(array, str))), None, None)
    assert (found.dtype, found.shape, found.tobytes()) == (array.dtype, array.shape, array.tobytes())


def test_the_size_of_a_tensor_is_written_as_a_number():
    paddle.disable_static()
    assert json.dumps(encoded([paddle.ones([2, 3]).size], str)) == "[6]"


def test_py_func_is_refused_by_name():
    def half(a):
        return np.array(a) / 2

    x = placeholder()
    S.py_func(half, x, S.default_main_program().current_block().create_var("half", [2, 3], "float32"))
    with pytest.raises(ValueError, match=r"py_func cannot be saved: .*half"):
        text_of_program(S.default_main_program())


def damaged(change):
    trained()
    data = json.loads(text_of_program(S.default_main_program()))
    change(data)
    return json.dumps(data)


def first_operator(data):
    return data["blocks"][0]["operators"][0]


CHANGES = {
    "no blocks": lambda data: data.pop("blocks"),
    "another version": lambda data: data.update(version=99),
    "another format": lambda data: data.update(format="x"),
    "unknown class": lambda data: first_operator(data).update({"class": "PyFuncOperator"}),
    "class of something else": lambda data: first_operator(data).update({"class": "Program"}),
    "unknown operator": lambda data: first_operator(data)["parts"].update(definition={"operator": "os.system"}),
    "another operator": lambda data: first_operator(data)["parts"].update(definition={"operator": "exp"}),
    "part that is none": lambda data: first_operator(data)["parts"].update(kernel=1),
    "missing part": lambda data: first_operator(data)["parts"].clear(),
    "unknown attribute": lambda data: first_operator(data)["attrs"].update(out=3),
    "unknown variable": lambda data: first_operator(data)["inputs"].update(X=["nobody"]),
    "operator in place of a variable": lambda data: first_operator(data)["inputs"].update(X=[{"operator": "exp"}]),
    "unknown type": lambda data: data["variables"]["x"].update(dtype="object"),
    "shape of text": lambda data: data["variables"]["x"].update(shape=["a"]),
    "block of nowhere": lambda data: data["variables"]["x"].update(block=7),
    "block in itself": lambda data: data["blocks"][0].update(parent=0),
    "seed of text": lambda data: data.update(random_seed="a"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_damaged_programs_are_refused(name):
    text = damaged(CHANGES[name])
    with pytest.raises(Damaged):
        program_from_text(text)


@pytest.mark.parametrize("build", PROGRAMS)
@pytest.mark.parametrize("left", [[], [None]])
def test_a_missing_input_is_said_in_words_of_ours(build, left):
    """When the Program is read; or, where only a run can know, by the Executor."""
    fetch = build()
    text = text_of_program(S.default_main_program())
    for block, one in enumerate(json.loads(text)["blocks"]):
        for op, operator in enumerate(one["operators"]):
            for slot in operator["inputs"]:
                data = json.loads(text)
                data["blocks"][block]["operators"][op]["inputs"][slot] = left
                told = said_of(json.dumps(data), fetch)
                assert not told or "[operator <" in told, (operator["type"], slot, told)
                assert "object has no attribute" not in told


def said_of(text, fetch):
    """Return what the Executor says of a Program that is read; "" if it is refused, or runs."""
    try:
        program, _ = program_from_text(text)
        run(program, fetch, S.Scope())
    except Damaged:
        return ""
    except Exception as error:
        return str(error)
    return ""


def test_a_block_that_runs_itself_is_refused():
    branches()
    data = json.loads(text_of_program(S.default_main_program()))
    for block in data["blocks"]:
        for op in block["operators"]:
            if op["class"] == "ConditionalBlock":
                op["parts"]["body"] = {"block": 0}
    with pytest.raises(Damaged, match="runs itself"):
        program_from_text(json.dumps(data))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\n\x1b\n\x04feed\x10\x01", "real Paddle"),
        (b"", "no program"),
        (b"{", "damaged"),
        (b"{}", "no program of minipaddle"),
        (b'{"format": "minipaddle program", "version": 1, "x": ' + b"[" * 100_000, "nested too deeply"),
    ],
)
def test_other_files_are_refused(content, words):
    with pytest.raises(Damaged, match=words):
        program_from_text(content)


def test_half_a_file_is_refused():
    trained()
    text = text_of_program(S.default_main_program())
    for part in range(1, 20):
        with pytest.raises(Damaged):
            program_from_text(text[: len(text) * part // 20])
