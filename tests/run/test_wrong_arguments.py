"""Every public name, called with junk: it works, or one clear error gives the reason; nothing is changed.

An error is minipaddle's if the innermost line of its traceback is a ``raise`` or ``assert`` in the package: errors that
NumPy or Python raise in the middle of the engine's work are not for users. If Python itself refuses a call (a missing
argument), no line of the package is involved, and that is fine.
"""

import inspect
import linecache
import random
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.mode.eager import current
from minipaddle.engine.value.dtype import default_float
from minipaddle.paddle import namespace, static
from minipaddle.paddle.autograd import functional
from tests.support.cases import check_each

PACKAGE = str(Path(paddle.__file__).parents[1])
CALLS = 30
CALLS_IN_PROGRAMS = 15
ROOMS = {
    "paddle": paddle,
    "paddle.nn": paddle.nn,
    "paddle.nn.functional": paddle.nn.functional,
    "paddle.nn.initializer": paddle.nn.initializer,
    "paddle.nn.utils": paddle.nn.utils,
    "paddle.optimizer": paddle.optimizer,
    "paddle.optimizer.lr": paddle.optimizer.lr,
    "paddle.linalg": paddle.linalg,
    "paddle.fft": paddle.fft,
    "paddle.incubate.autograd": functional,
    "paddle.io": paddle.io,
    "paddle.metric": paddle.metric,
    "paddle.regularizer": paddle.regularizer,
    "paddle.static": paddle.static,
    "paddle.static.nn": paddle.static.nn,
}
SWITCHES = {  # these change what is global, or files: that is what they are for
    "save", "load", "seed", "set_flags", "enable_static", "disable_static", "set_default_dtype", "set_device",
    "set_printoptions", "set_grad_enabled", "set_rng_state", "no_grad", "enable_grad", "disable_signal_handler",
    "save_inference_model", "load_inference_model",
    "load_program_state", "set_program_state", "in_dynamic_mode", "DataLoader",
    "dtype", "beside", "Tensor", "Parameter",  # no functions of Paddle: what `+` calls, what to_tensor makes
}  # fmt: skip


def names():
    for room, module in ROOMS.items():
        for name in namespace.__all__ if module is paddle else module.__all__:
            value = getattr(module, name, None)
            if callable(value) and name not in SWITCHES and not name.startswith("_"):
                yield f"{room}.{name}", value
    for name in dir(paddle.Tensor):
        if not name.startswith("_") and name not in SWITCHES and callable(getattr(paddle.Tensor, name, None)):
            yield f"paddle.Tensor.{name}", getattr(paddle.Tensor, name)


NAMES = dict(names())
METHODS = "paddle.Tensor"


def of(room):
    """The names of one room, each as its own case."""
    return {name: name for name in NAMES if name.rpartition(".")[0] == room}


JUNK = (
    lambda: None,
    list,
    lambda: [...],
    lambda: "text",
    lambda: object(),
    lambda: np.array(["2020-01-01"], "datetime64[D]"),
    lambda: np.array([None, 1], object),
    lambda: paddle.to_tensor(np.ones((2, 3), "float32")),
    lambda: paddle.to_tensor([0, 5, -9]),
    lambda: paddle.to_tensor(1.5, stop_gradient=False) * 2,
    lambda: paddle.to_tensor([True, False]),
    lambda: paddle.to_tensor(np.ones((0, 2))),
    lambda: -7,
    lambda: 1 << 62,
    lambda: 2.5,
    lambda: float("nan"),
    lambda: {"a": 1},
    lambda: (1, "b"),
    lambda: [[1, 2], [3]],
    lambda: paddle.Tensor,
    lambda: static.Program(),
    lambda: VARIABLE,
    lambda: slice(1, None),
    lambda: 1j,
    lambda: b"bytes",
)
"""Things that nobody would hand over, or that only some calls take."""


def variable():
    with static.program_guard(static.Program(), static.Program()):
        paddle.enable_static()
        try:
            return static.data("x", [2, 3])
        finally:
            paddle.disable_static()


VARIABLE = variable()


def compiled(function):
    """Have an operator compiled, as its first call does: a wrong first call then ends where all others do."""
    return getattr(function, "public", function)


@cache
def taken(function):
    """How many arguments a function takes by their places."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(parameter.kind in kinds for parameter in parameters)


def arguments(function, rng, method):
    """As many as the function takes, the first often a Tensor, so that the others are reached."""
    count = rng.randint(1, max(1, min(taken(function), 6)))
    args = [rng.choice(JUNK)() for _ in range(count)]
    if method or rng.random() < 0.6:
        args[0] = paddle.to_tensor(np.ones((2, 3), "float32"))
    if count > 1 and rng.random() < 0.3:
        args[1] = paddle.to_tensor(np.ones((2, 3), "float32"))
    return args


def is_ours(error):
    step = error.__traceback__.tb_next
    if step is None:
        return True
    while step.tb_next is not None:
        step = step.tb_next
    code = step.tb_frame.f_code
    first, last, *_ = next(islice(code.co_positions(), step.tb_lasti // 2, None))
    text = "".join(linecache.getline(code.co_filename, line) for line in range(first, last + 1))
    if " of " in code.co_filename:  # compiled: its only statement that raises itself
        return code.co_filename.startswith(PACKAGE)
    return code.co_filename.startswith(PACKAGE) and ("raise" in text or "assert" in text)


def said(name, args, error):
    return f"{name}{tuple(args)!r}: {type(error).__name__}: {error}"


def state(values):
    held = [(v.numpy().tobytes(), v.shape, v.inplace_version, v.stop_gradient) for v in values]
    return held, current.get(), default_float(), len(VARIABLE.block.program.global_block().ops)


@pytest.mark.parametrize("room", [*ROOMS, METHODS])
def test_junk_ends_in_one_error_of_ours(room):
    check_each(of(room), junk_ends_in_one_error_of_ours)


def junk_ends_in_one_error_of_ours(name):
    rng = random.Random(name)
    compiled(NAMES[name])
    writes = name.endswith("_") or name.rpartition(".")[2] in {
        "set_value",
        "clear_grad",
        "clear_gradient",
        "assign",
        "silu",  # inplace=
    }
    for _ in range(CALLS):
        args = arguments(NAMES[name], rng, ".Tensor." in name)
        tensors = [arg for arg in args if isinstance(arg, paddle.Tensor)]
        before, where = state(tensors), current.get()
        error = None
        with static.scope_guard(static.Scope()), static.program_guard(static.Program(), static.Program()):
            try:
                NAMES[name](*args)
            except Exception as raised:
                error = raised
        now = state(tensors)
        current.set(where)
        assert error is None or (is_ours(error) and str(error)), said(name, args, error)
        assert now == before or (error is None and writes and now[1:] == before[1:]), said(name, args, error)


@pytest.mark.parametrize("room", ROOMS)
def test_junk_while_a_program_is_built_ends_in_one_error_of_ours(room):
    check_each(of(room), junk_while_a_program_is_built_ends_in_one_error_of_ours)


def junk_while_a_program_is_built_ends_in_one_error_of_ours(name):
    rng = random.Random(f"static {name}")
    compiled(NAMES[name])
    paddle.enable_static()
    where = current.get()
    try:
        for _ in range(CALLS_IN_PROGRAMS):
            with static.scope_guard(static.Scope()), static.program_guard(static.Program(), static.Program()):
                x = static.data("x", [2, 3])
                args = [
                    x if isinstance(arg, paddle.Tensor) else arg for arg in arguments(NAMES[name], rng, False)
                ]
                error = None
                try:
                    NAMES[name](*args)
                except Exception as raised:
                    error = raised
                assert error is None or (is_ours(error) and str(error)), said(name, args, error)
                current.set(where)
    finally:
        current.set(where)
        paddle.disable_static()


def test_the_error_names_function_arguments_and_the_users_line():
    x, label = paddle.ones([2, 3]), paddle.to_tensor([0, 1])
    with pytest.raises(TypeError) as raised:
        paddle.nn.functional.cross_entropy(x, label, [...])
    text = str(raised.value)
    assert "cross_entropy() cannot work with (input: Tensor of paddle.float32 [2, 3]" in text
    assert "weight: list" in text
    assert f'{Path(__file__).name}", line' in text
    assert "[operator < cross_entropy > error]" in text


def test_what_the_users_own_code_raises_is_left_alone():
    class Broken(paddle.io.Dataset):
        def __getitem__(self, index):
            return {}[index]

        def __len__(self):
            return int("many")

    with pytest.raises(ValueError, match=r"^invalid literal"):
        paddle.io.BatchSampler(Broken(), batch_size=2).__len__()
    with pytest.raises(ValueError, match=r"^invalid literal"):
        paddle.io.random_split(Broken(), [1, 2])
