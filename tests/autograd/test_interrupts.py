"""Ctrl-C at any moment leaves a working engine: mode, grad mode, generator and Programs are unchanged."""

import dis
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import minipaddle.paddle.static as S
from minipaddle import paddle
from minipaddle.engine.mode.eager import current, run_inside, within
from minipaddle.engine.operator.custom import run_body
from minipaddle.ops.random import generator as random
from minipaddle.paddle.static.build.mode import BUILDING

pytestmark = pytest.mark.filterwarnings(  # Python reports errors while a generator is freed, and continues
    "ignore::pytest.PytestUnraisableExceptionWarning"
)
PACKAGE = str(Path(paddle.__file__).parents[1])


class Interrupt:
    """Raises KeyboardInterrupt at instruction number `at` of the engine; counts them."""

    def __init__(self, at: int, everywhere: bool = True) -> None:
        self.at = at
        self.everywhere = everywhere
        """Before every instruction; else where Python looks for signals: as a function begins, and after one in C."""
        self.seen = -1
        self.calling: FrameType | None = None

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        returned, self.calling = frame is self.calling, None
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode" and dis.opname[frame.f_code.co_code[frame.f_lasti]].startswith("CALL"):
            self.calling = frame
        if event == "call" or (event == "opcode" and (self.everywhere or returned)):
            self.seen += 1
            if self.seen == self.at:
                raise KeyboardInterrupt
        return self


def interrupted(work: Callable[[], object], at: int, everywhere: bool = True) -> bool:
    """Run `work` with an interrupt; return whether it came before the end."""
    interrupt, before = Interrupt(at, everywhere), sys.gettrace()
    sys.settrace(interrupt)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return interrupt.seen >= at


def state() -> tuple[Any, ...]:
    mode = current.get()
    programs = S.default_main_program(), S.default_startup_program()
    return mode, mode.grad, mode.saving, random.engine(), S.global_scope(), *map(id, programs)


def check_at_every_instruction(make: Callable[[], Callable[[], object]], everywhere: bool = True) -> int:
    work = make()
    work()  # work that is done the first time only
    at, before = 0, state()
    while interrupted(work, at, everywhere):
        assert state() == before, f"at instruction {at}"
        at += 1
    x = paddle.to_tensor([3.0], stop_gradient=False)
    (x * x).backward()
    assert x.grad.tolist() == [6.0]
    return at


class Twice(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, dy):
        ctx.saved_tensor()
        return dy * 2


def loss() -> Any:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    x.register_hook(lambda grad: grad * 1)
    return (Twice.apply(x * x) + x).sum()


def backward():
    y = loss()
    return lambda: y.backward(retain_graph=True)


def double():
    x = paddle.to_tensor([1.0], stop_gradient=False)
    y = x * x
    return lambda: paddle.grad(y, x, create_graph=True)


def unpacking():
    x = paddle.to_tensor([1.0], stop_gradient=False)
    with paddle.autograd.saved_tensors_hooks(lambda t: t, lambda t: t):
        y = x * x
    return lambda: y.backward(retain_graph=True)


def step():
    w = paddle.create_parameter([2], "float32")
    w.grad = paddle.ones([2])
    return paddle.optimizer.SGD(0.1, parameters=[w]).step


def run():
    main, startup = S.Program(), S.Program()
    with within(BUILDING), S.program_guard(main, startup):
        x = S.data("x", [2], "float32")
        x.stop_gradient = False
        y = main.current_block().create_var(name="y", dtype="float32", shape=[2])
        S.py_func(np.tanh, x, y)
        z = (y + paddle.uniform([2])).sum()
        main.random_seed = 5
    executor, scope = S.Executor(), S.Scope()
    feed = {"x": np.ones(2, "float32")}
    return lambda: executor.run(main, feed=feed, fetch_list=[z], scope=scope)


def inplace():
    x = paddle.ones([2])
    return lambda: x.tanh_()


WORK = {
    "backward": backward,
    "grad": double,
    "saved_tensors_hooks": unpacking,
    "PyLayer.apply": lambda: lambda: Twice.apply(paddle.to_tensor([1.0], stop_gradient=False)),
    "step": step,
    "Executor.run": run,
    "in place": inplace,
    "run_inside": lambda: lambda: run_inside(current.get().with_grad(False), list),
    "run_body": lambda: lambda: run_body("hook", None, None, current.get().with_grad(False), list),
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", WORK)
def test_an_interrupt_at_any_instruction_leaves_the_mode(name):
    assert check_at_every_instruction(WORK[name]) > 10


BLOCKS = {
    "no_grad": paddle.no_grad,
    "enable_grad": paddle.enable_grad,
    "saved_tensors_hooks": lambda: paddle.autograd.saved_tensors_hooks(lambda t: t, lambda t: t),
    "scope_guard": lambda: S.scope_guard(S.Scope()),
    "program_guard": lambda: S.program_guard(S.Program(), S.Program()),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_an_interrupt_leaves_a_with_block(name):
    """Raised where Python checks for signals: between these it raises nothing."""

    def block():
        with BLOCKS[name]():
            pass

    assert check_at_every_instruction(lambda: block, everywhere=False) > 3
