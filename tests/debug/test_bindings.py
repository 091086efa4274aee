"""The meaning of a name at a line: the value of the variable then, found by its holder, as all numbers are equal."""

import random

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug import Prompt, Session
from minipaddle.tools.record import Recorder
from minipaddle.tools.record.file import load, save
from minipaddle.tools.words.terminal import ASCII

static = paddle.static

STATEMENTS = (
    "a = a * 1",
    "b = a * 1",
    "b = a",
    "c = b",
    "a, b = b, a",
    "c, _ = a * 1, b * 1",
    "a = given",
    "c = f(a)",
    "b = f(b) * 1",
    "a = g(c)",
    "if (c := b * 1) is not None: pass",
    "for b in (a, a * 1): c = b",
    "for _ in range(2): b = b * 1",
    "c = [b * 1 for b in (a, c)][0]",
    "c = (lambda: a * 1)()",
    "c = f(f(a))",
    "a += given",
)
"""Three names for all values, used again and again."""


def written(chance, marks):
    """Return a script of two functions and a body in which names are bound at random, with `marks` in between."""

    def body(indent, count, statements):
        chosen = [
            line
            for one in chance.choices(statements, k=count)
            for line in ((one, *marks) if marks else (one,))
        ]
        return "\n".join(" " * indent + line for line in chosen)

    plain = [one for one in STATEMENTS if "f(" not in one and "g(" not in one]
    inner = [one for one in STATEMENTS if "g(" not in one]
    return "\n".join(
        (
            f"def f(a):\n    b = c = a\n{body(4, 3, plain)}\n    return {chance.choice('abc')}",
            f"def g(b):\n    a = c = b\n{body(4, 3, inner)}\n    return {chance.choice('abc')}",
            f"def main():\n    a = b = c = given * 1\n{body(4, 8, STATEMENTS)}\n    return dict(locals())",
            "held = main()",
        )
    )


def run(tmp_path, text, **names):
    script = tmp_path / "script.py"
    script.write_text(text)
    exec(compile(text, str(script), "exec"), names)
    return names


@pytest.mark.parametrize("seed", range(25))
def test_a_name_means_what_python_found_under_it(tmp_path, seed):
    recorder, marked = Recorder(), []

    def mark(held):
        marked.append((len(recorder.trace.events), held))

    text = written(random.Random(seed), ("mark(dict(locals()))", "given * 1"))
    with watching(recorder):
        run(tmp_path, text, mark=mark, given=paddle.ones([2]))
    builder = recorder._source.builder
    trace = recorder.finish()
    save(trace, tmp_path / "run.mpt")
    for session in (Session(trace), Session(load(tmp_path / "run.mpt"))):
        for index, held in marked:
            session.go_to_event(index)
            found = {name: session.find(name).holder for name in held if name in "abc"}
            numbers = {name: builder.held(held[name]).number for name in found}
            assert found == numbers, (text, session.event.where)


@pytest.mark.parametrize("seed", range(25))
def test_a_name_means_what_a_program_was_built_with(tmp_path, seed):
    recorder = Recorder()
    paddle.enable_static()
    try:
        with static.program_guard(static.Program()), watching(recorder):
            given = static.data("given", [2], "float32")
            text = written(random.Random(seed), ()).replace("return dict", "given * 1; return dict")
            held = run(tmp_path, text, given=given)["held"]
            held = {name: one for name, one in held.items() if name in "abc"}
            static.Executor().run(feed={"given": np.ones(2, "float32")}, fetch_list=[held["a"]])
    finally:
        paddle.disable_static()
    session = Session(recorder.finish())
    session.goto("end")
    assert {name: session.find(name).name for name in held} == {name: one.name for name, one in held.items()}


def shown(session, *lines):
    said = []
    prompt = Prompt(session, ASCII, said.append)
    for line in lines:
        prompt.run(line)
        assert not prompt.failed, said
    return said


def build(x, w):
    y = x * w
    out = y.sum()
    assert out is not y
    return out


def wrap(x, w):
    res = build(x, w)
    assert res is not x
    return res


@pytest.fixture(params=["eager", "program"])
def renamed(request, record):
    """A session on a loss with four names, in three functions."""

    def script():
        loss = wrap(paddle.ones([2]), paddle.ones([2]).detach())
        cost = loss
        return cost * 1

    def program():
        with static.program_guard(static.Program(), static.Program()):
            x, w = static.data("fed", [2], "float32"), static.data("other", [2], "float32")
            loss = wrap(x, w)
            cost = loss
            ones = np.ones(2, "float32")
            static.Executor().run(feed={"fed": ones, "other": ones}, fetch_list=[cost * 1])

    if request.param == "eager":
        return Session(record(script))
    paddle.enable_static()
    try:
        return Session(record(program))
    finally:
        paddle.disable_static()


@pytest.mark.parametrize("name", ["loss", "cost", "out", "res"])
def test_a_value_is_found_by_each_of_its_names(renamed, name):
    """In a Program one of several names was known, even if it was an inner function's."""
    made = next(event for event in renamed.trace.events if event.title == "sum")
    assert renamed.goto(name) is made
    assert renamed.find(name).id == made.outputs[0]
    for stop in (f"break var:{name}", f"watch {name}"):
        renamed.goto("begin")
        shown(renamed, stop, "continue")
        assert renamed.event is made
        shown(renamed, "delete")
    assert shown(renamed, f"why {name}", f"print {name} + 1")[-1] == "3.0"


def test_a_program_shows_the_name_that_the_outermost_function_has(renamed):
    assert set(renamed.trace.bound.values()) <= {"loss", "y", "x", "w"}


def test_a_local_of_a_function_that_was_called_hides_no_variable_of_the_caller(record):
    """At the line of the caller, x was said to be the function's last x."""

    def layer(x):
        x = paddle.tanh(x)
        x = x + 1
        return x * 1

    def script():
        x = paddle.zeros([2])
        y = layer(x)
        return y * 3

    session = Session(record(script))
    session.goto("end")
    assert session.find("x").array.tolist() == [0, 0]
    session.goto("tanh")
    assert session.find("x").id == session.event.outputs[0]


def test_an_attribute_that_a_layer_keeps_as_a_buffer_has_its_name(record):
    class Net(paddle.nn.Layer):
        def forward(self, x):
            self.h = x * 2
            return self.h + 1

    session = Session(record(lambda: Net()(paddle.ones([2]))))
    assert session.goto("self.h").title == "scale"


def test_the_gradient_of_a_value_goes_by_all_of_its_names(record):
    def script():
        w = paddle.ones([2])
        w.stop_gradient = False
        y = w * 1
        same = y
        same.sum().backward()
        weight = w
        return weight * 1

    session = Session(record(script))
    session.goto("end")
    assert session.find("same@GRAD") is session.find("y@GRAD") is not None
    assert session.find("weight.grad") is session.find("w.grad") is not None


def test_equal_functions_of_two_files_have_lines_of_their_own(tmp_path):
    """Python takes their codes for equal: facts about one were told of the other."""
    for folder in "ab":
        (tmp_path / folder).mkdir()
        recorder = Recorder()
        with watching(recorder):
            run(
                tmp_path / folder,
                "def f(x):\n    y = x * 1\n    return y\nz = f(given)\n",
                given=paddle.ones([2]),
            )
        trace = recorder.finish()
        files = {binding.extent.file for binding in trace.bindings if binding.name in "yz"}
        assert files == {str(tmp_path / folder / "script.py")}


def test_a_grad_that_nobody_has_is_told_of(record):
    """`why y.grad` knew nothing of y, and `print y.grad` took .grad for an attribute."""

    def script():
        x, y = (paddle.to_tensor([1.0, 1.0], stop_gradient=False) for _ in range(2))
        (x * y.detach()).sum().backward()
        return y * 1

    session = Session(record(script))
    assert shown(session, "why y.grad") == shown(session, "why y")
    said = []
    Prompt(session, ASCII, said.append).run("print y.grad")
    assert said[0].startswith("*** y.grad: name 'y.grad' is not defined; values here: ")


class Model:
    """Keeps its intermediate values."""

    def __init__(self, x):
        self.h = x * 2
        self.parts = [part * 1 for part in (x, self.h)]


def test_attributes_name_variables_of_a_program_and_comprehensions_do_not_show(record):
    """`self.h` was known in eager runs only, and a picture said `part = tmp_0`."""

    def program():
        with static.program_guard(static.Program()):
            model = Model(static.data("fed", [2], "float32"))
            static.Executor().run(feed={"fed": np.ones(2, "float32")}, fetch_list=model.parts)

    paddle.enable_static()
    try:
        session = Session(record(program))
    finally:
        paddle.disable_static()
    assert session.goto("self.h").title == "scale"
    assert session.find("self.h") is session.find("part")
    assert list(session.trace.bound.values()) == ["self.h"]
