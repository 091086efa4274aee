"""Random programs: a Program and eager execution of the same Python function give the same values and gradients.

A recipe is a list of steps, each of which computes a new value from earlier ones. :func:`cook` follows it with public
functions only, so that it works in both modes; steps with control flow hold recipes themselves.
"""

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minipaddle import paddle
from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.paddle.static.files.serialize import program_from_text, text_of_program
from tests.support.agreement import interpreted

pytestmark = pytest.mark.sweep

S = paddle.static
EXAMPLES = settings(max_examples=20)

# -- steps ---------------------------------------------------------------------------------------------------------

UNARY = {
    "tanh": paddle.tanh,
    "square": paddle.square,
    "scale": lambda x: 0.5 * x - 1.0,
    "inverse": lambda x: 1.0 / (x * x + 1.0),
    "assign": paddle.assign,
    "stopped": lambda x: x.detach() * x,
    "sum": paddle.sum,
    "rows": lambda x: paddle.sum(whole(x), axis=-1, keepdim=True),
    "columns": lambda x: paddle.mean(whole(x), axis=0),
    "reshape": lambda x: paddle.reshape(paddle.reshape(whole(x), [-1]), [-1, 3]),
    "unsqueeze": lambda x: paddle.squeeze(paddle.unsqueeze(paddle.sin(x), 0), 0),
    "transpose": lambda x: paddle.transpose(paddle.transpose(whole(x), [1, 0]) * 2.0, [1, 0]),
    "slice": lambda x: whole(x)[:, 1:],
    "split": lambda x: paddle.split(whole(x), 3, axis=1)[1],
}
BINARY = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "maximum": paddle.maximum,
    "matmul": lambda x, y: whole(x) @ paddle.transpose(whole(y), [1, 0]) @ whole(y) * 0.1,
    "concat": lambda x, y: paddle.concat([whole(x), whole(y)], axis=1)[:, 2:5],
}
LIKE = []
"""The first input of the program that is cooked now."""


def whole(x: Any) -> Any:
    """Spread a value to the shape of the first input."""
    if x.ndim == 2 and x.shape[-1] == 2:
        x = paddle.concat([x, x[:, :1]], axis=1)
    return x + 0.0 * LIKE[-1]


def small(x: Any) -> Any:
    """Keep a value from growing."""
    return paddle.tanh(whole(x))


class Rule(paddle.autograd.PyLayer):
    """tanh(x) * y and x, with gradients that are not quite theirs."""

    @staticmethod
    def forward(ctx, x, y):
        t = paddle.tanh(x)
        ctx.save_for_backward(t, y)
        return t * y, x * 1.0

    @staticmethod
    def backward(ctx, first, second):
        t, y = ctx.saved_tensor()
        return first * y * (1.0 - t * t) * 3.0 + second, first * t


def rule(x: Any, y: Any) -> Any:
    """A custom rule: a PyLayer."""
    product, same = Rule.apply(whole(x), whole(y))
    return product + 0.5 * same


class Doubled(paddle.autograd.PyLayer):
    """What :func:`own_rule` is in eager mode."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return 2.5 * x * dy


def own_rule(x: Any) -> Any:
    """A custom rule: static_pylayer."""
    if paddle.in_dynamic_mode():
        return Doubled.apply(whole(x))
    given = whole(x)
    return S.nn.static_pylayer(lambda a: a * a, [given], lambda dy: 2.5 * given * dy)


class Hosted(paddle.autograd.PyLayer):
    """What :func:`host` is in eager mode."""

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, dy):
        x, y = ctx.saved_tensor()
        return dy * y * 1.5, dy * x


def host(x: Any, y: Any) -> Any:
    """A custom rule: py_func."""
    x, y = whole(x), whole(y)
    if paddle.in_dynamic_mode():
        return Hosted.apply(x, y)
    block = S.default_main_program().current_block()
    out = block.create_var(shape=list(x.shape), dtype="float64")

    def backward(a, b, dy):
        return dy * b * 1.5, dy * a

    return S.py_func(lambda a, b: a * b, [x, y], out, backward, skip_vars_in_backward_input=[out])


def branch(pool: list[Any], place: int, yes: Any, no: Any) -> list[Any]:
    """``cond`` on a value, with two results."""
    found = S.nn.cond(
        paddle.mean(pool[place]) > 0.1,
        lambda: tuple(cook(yes, pool)[-2:]),
        lambda: tuple(cook(no, pool)[-2:]),
    )
    return list(found)


def loop(pool: list[Any], times: int, first: int, second: int, body: Any) -> list[Any]:
    """``while_loop`` over two values that change places."""

    def turn(i: Any, a: Any, b: Any) -> list[Any]:
        return [i + 1, b, small(cook(body, [*pool, a, b])[-1] + a)]

    start = [whole(pool[first]), whole(pool[second])]
    used = small(start[0] * start[1])  # its gradient needs what the loop writes over
    found = S.nn.while_loop(lambda i, a, b: i < times, turn, [paddle.zeros([1], "int64"), *start])
    return [found[1], found[2] + used]


def cook(recipe: Any, given: list[Any]) -> list[Any]:
    """Follow a recipe; return all values, the last two of which have the shape of the first input."""
    pool = list(given)
    for kind, *arguments in recipe:
        if kind in UNARY:
            (place,) = arguments
            pool.append(UNARY[kind](pool[place % len(pool)]))
        elif kind in BINARY:
            one, other = (pool[place % len(pool)] for place in arguments)
            if 2 in (one.shape[-1:] + other.shape[-1:]):
                one, other = whole(one), whole(other)
            pool.append(BINARY[kind](one, other))
        elif kind == "rule":
            pool.append(rule(*(pool[place % len(pool)] for place in arguments)))
        elif kind == "own_rule":
            pool.append(own_rule(pool[arguments[0] % len(pool)]))
        elif kind == "host":
            pool.append(host(*(pool[place % len(pool)] for place in arguments)))
        elif kind == "cond":
            place, yes, no = arguments
            pool += branch(pool, place % len(pool), yes, no)
        elif kind == "loop":
            times, first, second, body = arguments
            pool += loop(pool, times, first % len(pool), second % len(pool), body)
    return [*pool, small(pool[-1]), small(pool[-1] + pool[-2] if agree(pool[-1], pool[-2]) else pool[-2])]


def agree(one: Any, other: Any) -> bool:
    """Whether two values can be added."""
    return 2 not in (*one.shape[-1:], *other.shape[-1:])


PLACE = st.integers(0, 7)


def recipes(rich: bool, depth: int = 2, hosts: bool = True) -> Any:
    """Recipes, with custom NumPy rules and control flow if `rich`."""
    steps = [
        st.tuples(st.sampled_from(sorted(UNARY)), PLACE),
        st.tuples(st.sampled_from(sorted(BINARY)), PLACE, PLACE),
        st.tuples(st.just("rule"), PLACE, PLACE),
        st.tuples(st.just("own_rule"), PLACE),
    ]
    if rich and hosts:
        steps.append(st.tuples(st.just("host"), PLACE, PLACE))
    if rich and depth:
        inner = recipes(rich, depth - 1, hosts)
        steps.append(st.tuples(st.just("cond"), PLACE, inner, inner))
        steps.append(st.tuples(st.just("loop"), st.integers(0, 3), PLACE, PLACE, inner))
    return st.lists(st.one_of(steps), min_size=1, max_size=5)


# -- both ways -----------------------------------------------------------------------------------------------------

W = np.array([0.3, -0.7, 1.1])


def feeds(batch: int) -> dict[str, Any]:
    """Numbers for the two inputs."""
    return {
        "x": np.sin(np.arange(batch * 3.0)).reshape(batch, 3),
        "y": np.cos(np.arange(batch * 1.0)).reshape(batch, 1),
    }


def cooked(recipe: Any, given: list[Any]) -> Any:
    """Return one number, the sum of the last two values of a recipe."""
    LIKE.append(given[0])
    try:
        one, other = cook(recipe, given)[-2:]
        return paddle.sum(one * 0.3 + other * other)
    finally:
        LIKE.pop()


def grad(target: Any, sources: list[Any]) -> list[Any]:
    """Ask for gradients in the way of the mode."""
    if paddle.in_dynamic_mode():
        return paddle.grad(target, sources, create_graph=True, allow_unused=True)
    return S.gradients(target, sources)


def everything(recipe: Any, given: list[Any], second: bool) -> list[Any]:
    """Return the value of a recipe, its gradients and, if asked for, those of their squares; None where none flows."""
    found = [cooked(recipe, given)]
    found += grad(found[0], given)
    if second:
        squares = [paddle.sum(paddle.square(one)) for one in found[1:] if one is not None]
        total = sum(squares[1:], squares[0])
        found += grad(total, given) if not total.stop_gradient else [None] * len(given)
    return found


def eagerly(recipe: Any, batch: int, second: bool) -> list[Any]:
    """Return the values of :func:`everything` in dynamic mode."""
    arrays = [*feeds(batch).values(), W]
    given = [paddle.to_tensor(array, stop_gradient=False) for array in arrays]
    found = everything(recipe, given, second)
    likes = [found[0], *given, *(given if second else ())]
    return [
        np.zeros(like.shape) if one is None else one.numpy() for one, like in zip(found, likes, strict=True)
    ]


class Built(NamedTuple):
    """A Program and what to fetch; None where no gradient flows."""

    main: Any
    names: list[Any]


def built(recipe: Any, second: bool) -> Built:
    """Build the Program of a recipe, and run its startup Program in the global Scope."""
    main, startup = S.Program(), S.Program()
    with S.program_guard(main, startup), paddle.utils.unique_name.guard():
        x, y = S.data("x", [-1, 3], "float64"), S.data("y", [-1, 1], "float64")
        x.stop_gradient = y.stop_gradient = False
        start = paddle.nn.initializer.Assign(W)
        w = S.create_parameter([3], "float64", default_initializer=start)
        found = everything(recipe, [x, y, w], second)
    S.Executor().run(startup)
    return Built(main, [None if one is None else one.name for one in found])


def fetched(program: Any, names: list[Any], batch: int, run: Any = None) -> list[Any]:
    """Run a Program; return zeros where there is no gradient."""
    asked = [name for name in names if name is not None]
    values = iter((run or S.Executor().run)(program, feeds(batch), asked))
    likes = [np.array(0.0), *[*feeds(batch).values(), W] * 2]
    return [
        np.zeros_like(like) if name is None else next(values)
        for name, like in zip(names, likes, strict=False)
    ]


def assert_near(found: list[Any], expected: list[Any]) -> None:
    """Compare what two ways computed, which may add in another order."""
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


def assert_equal(found: list[Any], expected: list[Any]) -> None:
    """Compare what must be the same numbers."""
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def compare(recipe: Any, second: bool, saved: bool = True) -> None:
    """Check a recipe in all ways there are to run it."""
    with within(EAGER):
        expected = {batch: eagerly(recipe, batch, second) for batch in (1, 2, 4)}
        paddle.enable_static()
        with S.scope_guard(S.Scope()):
            main, names = built(recipe, second)
            for batch, values in expected.items():
                assert_near(fetched(main, names, batch), values)
            assert len(main.prepared) == 1  # one plan for all sizes
            once = fetched(main, names, 4)
            assert_equal(fetched(main, names, 4, interpreted), once)
            copies = [main.clone(), *([program_from_text(text_of_program(main))[0]] if saved else [])]
            for copy in copies:
                assert_equal(fetched(copy, names, 4), once)
                assert str(copy) == str(main)
            if not second:  # gradients that the loss is made of are no part of a test
                assert_equal(fetched(main.clone(for_test=True), names[:1], 4), once[:1])


@EXAMPLES
@given(recipes(rich=False))
def test_values_and_two_orders_of_gradients_are_those_of_eager_execution(recipe):
    compare(recipe, second=True)


@EXAMPLES
@given(recipes(rich=True, hosts=False))
def test_control_flow_is_that_of_eager_execution(recipe):
    compare(recipe, second=False)


@EXAMPLES
@given(recipes(rich=True, depth=1))
def test_functions_of_the_host_too(recipe):
    compare(recipe, second=False, saved=False)
