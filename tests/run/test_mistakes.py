"""Mistakes that beginners make: each is told in one sentence, which has the cause and the cure."""

import re
from typing import NamedTuple

import pytest

STATIC = """
import numpy as np
import paddle

paddle.enable_static()
x = paddle.static.data("x", [None, 2], "float32")
exe = paddle.static.Executor()
"""
PY_LAYER = """
import paddle


class Double(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, dy):
        return dy * 2


x = paddle.to_tensor([1.0], stop_gradient=False)
"""
WEIGHT = """
import numpy as np
import paddle

w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
"""


class Mistake(NamedTuple):
    """A script, and what is said about it."""

    name: str
    script: str
    said: tuple[str, ...]
    command: str = "run"


MISTAKES = [
    Mistake(
        "the startup Program was forgotten",
        STATIC + "exe.run(feed={'x': [[1, 2]]}, fetch_list=[paddle.static.nn.fc(x, 3)])",
        ("is not initialized", "exe.run(paddle.static.default_startup_program())"),
    ),
    Mistake(
        "stop_gradient was left as it is",
        "import paddle\nw = paddle.to_tensor([1.0])\n(w * w).sum().backward()\nw.grad.numpy()",
        ("w has stop_gradient=True", "set w.stop_gradient = False"),
    ),
    Mistake(
        "backward twice",
        WEIGHT + "loss = (w * w).sum()\nloss.backward()\nloss.backward()",
        ("backward twice", "retain_graph=True"),
    ),
    Mistake(
        "the gradient of what was computed",
        WEIGHT + "h = w * 2\nh.sum().backward()\nprint(h.grad.numpy())",
        ("h was computed, and only leaves keep", "h.retain_grads() before backward"),
    ),
    Mistake(
        "a loss under no_grad",
        WEIGHT + "with paddle.no_grad():\n    loss = (w * w).sum()\nloss.backward()\nw = w - 0.1 * w.grad",
        ("no backward pass has reached w", "outside of no_grad"),
    ),
    Mistake(
        "shapes mixed up",
        "import paddle\npaddle.ones([4, 3]) @ paddle.ones([4, 2])",
        ("dimension of Input(X) is [3]", "perhaps transpose_x=True"),
    ),
    Mistake(
        "shapes that cannot be broadcast",
        "import paddle\npaddle.ones([4, 3]) + paddle.ones([4])",
        ("shape of X = [4, 3] and the shape of Y = [4]", "axes are matched from the last"),
    ),
    Mistake(
        "dtypes mixed up",
        "import paddle\npaddle.to_tensor([1, 2, 3]) * paddle.ones([3])",
        ("x: int64, y: float32", "x.astype('float32')"),
    ),
    Mistake(
        "requires_grad=True",
        "import paddle\npaddle.to_tensor([1.0], requires_grad=True)",
        ("takes no requires_grad", "stop_gradient=False"),
    ),
    Mistake(
        "a keyword of another framework",
        WEIGHT + "paddle.optimizer.SGD(lr=0.1, parameters=[w])",
        ("SGD takes no lr", "write learning_rate"),
    ),
    Mistake(
        "a parameter of another framework",
        WEIGHT + "paddle.sum(w, dim=0)",
        ("sum() got an unexpected keyword argument 'dim'", "sum takes no dim", "write axis"),
    ),
    Mistake(
        "a parameter that an operator lacks",
        WEIGHT + "paddle.multiply(input=w, other=w)",
        ("multiply() got an unexpected keyword argument 'input'", "write x"),
    ),
    Mistake("import torch", "import torch", ("torch is another framework", "import paddle")),
    Mistake("a missing import", "x = np.ones(3)", ("np is not imported", "import numpy as np")),
    Mistake("a PyLayer is called", PY_LAYER + "Double(x)", ("Double is a PyLayer", "Double.apply(...)")),
    Mistake("an object of a PyLayer is called", PY_LAYER + "Double()(x)", ("a PyLayer", "Double.apply(...)")),
    Mistake("forward is called", PY_LAYER + "Double.forward(x)", ("a PyLayer", "Double.apply(...)")),
    Mistake(
        "ctx was forgotten in forward",
        PY_LAYER.replace("forward(ctx, x)", "forward(x)") + "Double.apply(x)",
        ("apply hands ctx to Double.forward first", "def forward(ctx, ...)"),
    ),
    Mistake(
        "ctx was forgotten in backward",
        PY_LAYER.replace("backward(ctx, dy)", "backward(dy)") + "Double.apply(x).backward()",
        ("Double.backward() takes 1 positional argument but 2", "define it as backward(ctx, dy)"),
    ),
    Mistake(
        "backward returns too few gradients",
        PY_LAYER.replace("(ctx, x)", "(ctx, x, y)") + "Double.apply(x, x * 3).backward()",
        ("should not return empty at 1 position", "one gradient for each Tensor that forward received: 2"),
    ),
    Mistake(
        "backward returns too many gradients",
        PY_LAYER.replace("return dy * 2", "return dy, dy") + "Double.apply(x).backward()",
        ("should be 1, but received 2", "one gradient for each Tensor"),
    ),
    Mistake(
        "a Variable is printed",
        STATIC + "y = x * 2\nprint(y)",
        (
            "is a Variable" if False else "was printed, a Variable",
            "print what exe.run(program, feed, fetch_list) returns",
        ),
    ),
    Mistake(
        "the numbers of a Variable are asked for",
        STATIC + "y = x * 2\nprint(y.numpy())",
        ("works in dynamic mode only", "Fetch values with exe.run(...)"),
    ),
    Mistake(
        "Python branches on a Variable",
        STATIC + "if x.sum() > 0:\n    pass",
        ("known only when the Program runs", "paddle.static.nn.cond"),
    ),
    Mistake(
        "a wrong name is fed",
        STATIC + "exe.run(feed={'X': np.ones((1, 2), 'float32')}, fetch_list=[x * 2])",
        ("'x' is a placeholder that was not fed", "no Variable of the Program: 'X'"),
    ),
    Mistake(
        "a wrong dtype is fed",
        STATIC + "exe.run(feed={'x': np.ones((1, 2), 'int64')}, fetch_list=[x * 2])",
        ("must be 'float32', but received 'int64'", "array.astype('float32')"),
    ),
    Mistake(
        "clear_grad is missing",
        WEIGHT
        + "sgd = paddle.optimizer.SGD(0.1, parameters=[w])\n"
        + "for _ in range(3):\n    (w * w).sum().backward()\n    sgd.step()\n",
        ("adds the gradient of w to that of the step before", "no clear_grad after sgd"),
        "flow --passes all",
    ),
    Mistake("NumPy on a tensor", WEIGHT + "np.exp(w)", ("w is a tensor", "paddle.exp keeps the gradient")),
    Mistake("a sum by NumPy", WEIGHT + "np.sum(w)", ("np.sum takes arrays", "paddle.sum keeps the gradient")),
    Mistake(
        "backward of a number",
        WEIGHT + "loss = (w * w).sum().item()\nloss.backward()",
        ("a plain number", "ask the tensor before them"),
    ),
    Mistake(
        "labels are numbered from 1",
        "import paddle\npaddle.nn.functional.cross_entropy(paddle.ones([2, 3]), paddle.to_tensor([1, 3]))",
        ("label value as 3", "there are 3 classes, numbered from 0"),
    ),
    Mistake(
        "super().__init__() was forgotten",
        "import paddle\nclass Net(paddle.nn.Layer):\n    def __init__(self):\n"
        "        self.fc = paddle.nn.Linear(2, 1)\nNet()",
        ("super().__init__() should be called first",),
    ),
    Mistake(
        "written over what backward needs",
        WEIGHT + "h = w * 2\ny = h * h\nh.add_(paddle.ones([2]))\ny.sum().backward()",
        ("modified by an inplace operation", "without the trailing underscore"),
    ),
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_is_told_with_its_cause_and_its_cure(mistake, run_cli, write_script):
    command, *options = mistake.command.split()
    done = run_cli(command, write_script(mistake.script), *options)
    told = done.stdout + done.stderr
    for words in mistake.said:
        assert words in told
    assert told.count("[Hint: ") <= 1, "one sentence is enough"


@pytest.mark.parametrize(
    "script",
    [
        "None.numpy()",
        "import paddle\nw = paddle.ones([2])\nw.grad = paddle.ones([2])\nw.grad.nothing()",
        "import paddle\npaddle.to_tensor([1.0]).backwards()",
        "import nothing_of_this_name",
        "undefined + 1",
        "raise TypeError('requires_grad')",
        "raise AttributeError('backward')",
        "def f(lr):\n    pass\nf(rate=1)",
        "eval('None.grad.numpy()')",
        "import paddle\nclass A(paddle.autograd.PyLayer):\n    @staticmethod\n    def forward(ctx, x):\n"
        "        return None + 1\nA.apply(paddle.ones([1]))",
    ],
)
def test_nothing_is_said_where_the_cause_is_not_known(script, run_cli, write_script):
    done = run_cli("run", write_script(script))
    assert done.returncode != 0
    assert "[Hint: " not in done.stderr


def test_what_the_script_holds_decides_not_what_python_says(run_cli, write_script):
    """Two tensors with equal numbers, and the same message: each has its own cause."""
    script = WEIGHT + "v = paddle.to_tensor([1.0, 2.0])\n(w * v * 1).sum().backward()\n{}.grad.numpy()"
    assert "v has stop_gradient=True" in run_cli("run", write_script(script.format("v"))).stderr
    assert "[Hint" not in run_cli("run", write_script(script.format("w"))).stderr


def test_hints_are_in_the_readers_language(start_cli, write_script):
    script = write_script("import paddle\nw = paddle.to_tensor([1.0])\nw.grad.numpy()")
    done = start_cli("run", script, env={"LC_ALL": "zh_CN.UTF-8"})
    assert re.search(r"\[Hint: w\.grad 是 None：w 的 stop_gradient=True", done.stderr)
