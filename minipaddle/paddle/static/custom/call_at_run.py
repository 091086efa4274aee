"""late: a call that needs numbers of Variables, so that every run of the Program makes it: ``topk(x, k=count)``.

An operator whose shape is a Variable has sizes that a run fills in (:mod:`minipaddle.paddle.static.program.sizes`).
Others, ``slice(x, [0], start, end)``, ``clip(x, min=low)``, ``x[first:last]``, call the function itself, with
tensors. Its outputs are found by calling it with random ones: where shapes differ, sizes are unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from inspect import signature
from typing import Any

import numpy as np

from minipaddle.engine.errors import failure, locate, user_line
from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.names.unique import guard as names_guard
from minipaddle.engine.names.unique import unique_name
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array, Meta, meta_of
from minipaddle.ops.random.mersenne_twister import WORDS, GeneratorState
from minipaddle.paddle.autograd.grad import grad as grad_of
from minipaddle.paddle.framework.settings import as_before, get_rng_state, set_rng_state
from minipaddle.paddle.static.custom.operators import CustomCall
from minipaddle.paddle.static.program import Block, Operator, Variable, current_block
from minipaddle.paddle.static.program.numberless import call_later
from minipaddle.paddle.static.pytree import flat, rebuilt

_PLAIN = (bool, int, float, complex, str, np.ndarray, np.generic, np.dtype, type, type(None), type(...))
"""Types that a call may take besides Variables; no functions, as their effect is unknown."""
_TRIALS = 24  # calls with random numbers: enough to see which sizes vary


class LateOperator(CustomCall, in_files=False):
    """A call of a public function that waits for its numbers.

    Attributes:
        function: the function.
        given: its arguments, with Variables.

    A call that draws random numbers has a further output, State: the generator's state before it, for its gradient.
    """

    parts = ("given",)

    def __init__(
        self,
        block: Block,
        function: Callable[..., Any],
        given: Any,
        outs: Sequence[Variable],
        state: Sequence[Variable],
    ) -> None:
        taken = dict.fromkeys(one for one in flat(given) if isinstance(one, Variable))
        made = {"Out": list(outs), **({"State": list(state)} if state else {})}
        args, options = given
        asked = signature(function).bind(*args, **options)
        asked.apply_defaults()
        attrs = {"is_test": not asked.arguments["training"]} if "training" in asked.arguments else {}
        super().__init__(block, function.__name__.strip("_"), {"X": list(taken)}, made, attrs)
        self.function, self.given = function, given

    def call(self, values: Sequence[Array], leaves: Sequence[bool]) -> tuple[list[Tensor], list[Tensor]]:
        """Return the arguments, of which `leaves` require a gradient, and the results, as Tensors."""
        tensors = [Tensor(value, stop_gradient=not leaf) for value, leaf in zip(values, leaves, strict=True)]
        known = dict(zip(self.inputs["X"], tensors, strict=True))
        function = partial(_testing, self.function) if self.attrs.get("is_test") else self.function
        return tensors, flat(_called(function, self.given, known))

    def kernel(self) -> Callable[..., Any]:
        """Return the function that computes it."""

        def run(*values: Array) -> Any:
            state = [_packed(get_rng_state()[0])] if "State" in self.outputs else []
            arrays = [one.array for one in self.call(values, [False] * len(values))[1]] + state
            return arrays[0] if len(arrays) == 1 else arrays

        return run

    def gradient_call(self, block: Block, grads: Sequence[Any], results: Sequence[Any]) -> Operator:
        """Return its gradient."""
        return LateGradient(block, self, grads, results)

    def refuse_file(self) -> None:
        """Raise: it is a function, not an operator."""
        raise failure(
            ValueError,
            f"A Program with {self.type}(), whose numbers are Variables, cannot be saved.",
            "give it numbers",
        )


class LateGradient(Operator, in_files=False):
    """The gradient of a late call: the call again, and backward."""

    def __init__(
        self, block: Block, of: LateOperator, grads: Sequence[Variable], outs: Sequence[Any]
    ) -> None:
        ins = {"X": list(of.reads()), "State": list(of.outputs.get("State", ())), "Out@GRAD": list(grads)}
        super().__init__(block, f"{of.type}_grad", ins, {"X@GRAD": list(outs)}, {})
        self.origin: LateOperator = of

    def gradients(self, maker: Any, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Raise: a backward pass without recording computed it."""
        raise locate(
            failure(
                RuntimeError,
                f"{self.type} cannot be differentiated again: {self.origin.type} has Variables as numbers.",
                "give it numbers",
            ),
            self.type,
            self.where,
        )

    def kernel(self) -> Callable[..., Any]:
        """Return the function that computes it."""
        count, asked = len(self.inputs["X"]), [one is not None for one in self.outputs["X@GRAD"]]
        arrive = count + len(self.inputs["State"])

        def run(*values: Array) -> Any:
            now = get_rng_state()
            for state in values[count:arrive]:
                set_rng_state([_unpacked(state)])
            given, outs = self.origin.call(values[:count], asked)
            set_rng_state(now)
            leaves = [one for one, wanted in zip(given, asked, strict=True) if wanted]
            pairs = [(out, Tensor(dy)) for out, dy in zip(outs, values[arrive:]) if not out.stop_gradient]
            roots, seeds = [out for out, _ in pairs], [dy for _, dy in pairs]
            found = grad_of(roots, leaves, seeds, allow_unused=True) if pairs else [None] * len(leaves)
            arrays = [np.zeros_like(x.array) if dx is None else dx.array for x, dx in zip(leaves, found)]
            return arrays[0] if len(arrays) == 1 else arrays

        return run


def _called(function: Callable[..., Any], given: Any, known: Mapping[Any, Tensor]) -> Any:
    """Return the result of the call in dynamic mode; `known` has the Tensors of the Variables."""
    args, options = rebuilt(given, lambda one: known[one] if isinstance(one, Variable) else one)
    with within(EAGER):
        return function(*args, **options)


@call_later.filled
def late(error: Exception, function: Callable[..., Any], args: Any, options: Any) -> Any:
    """Append a call that waits for the numbers of its Variables; return its results.

    Raises:
        error: if the call cannot wait, as it has user functions, or returns other values than tensors.
    """
    given = (args, options)
    variables = list(dict.fromkeys(one for one in flat(given) if isinstance(one, Variable)))
    if not all(isinstance(one, (Variable, *_PLAIN)) for one in flat(given)):
        raise error
    with as_before():
        before = _packed(get_rng_state()[0])
        tries = list(_trials(function, given, variables))
        draws = not np.array_equal(before, _packed(get_rng_state()[0]))
    if not tries or not flat(tries[0]) or any(type(one) is not Tensor for one in flat(tries[0])):
        raise error
    like = [flat(one) for one in tries if len(flat(one)) == len(flat(tries[0]))]
    block, name = current_block(), unique_name(function.__name__.strip("_"))
    outs = [
        Variable(block, unique_name(f"{name}.tmp"), _common(same), stop_gradient=_stops(same[0]))
        for same in zip(*like)
    ]
    like_state = Meta((-1,), np.dtype("int64"))
    state = [Variable(block, unique_name(f"{name}.state"), like_state, stop_gradient=True)] if draws else []
    for one in (*outs, *state):
        block.add(one)
    op = LateOperator(block, function, given, outs, state)
    op.where = user_line()
    block.add_op(op)
    made = iter(outs)
    return rebuilt(tries[0], lambda _: next(made))


def _trials(function: Callable[..., Any], given: Any, variables: Sequence[Variable]) -> Iterator[Any]:
    """Yield the results of successful calls with random numbers."""
    for number in range(_TRIALS):
        rng, high = np.random.RandomState(number), 3 + number % 3 * 3
        known = {
            one: Tensor(_made_up(one.meta, 2 + number % 7, rng, high), stop_gradient=one.stop_gradient)
            for one in variables
        }
        with names_guard(), np.errstate(all="ignore"), suppress(Exception):
            yield _called(function, given, known)


def _made_up(meta: Meta, unknown: int, rng: np.random.RandomState, high: int) -> Array:
    """Return random numbers for this Meta, below `high`; `unknown` is the size of axes with unknown size."""
    shape = [unknown if size == -1 else size for size in meta.shape]
    numbers = rng.uniform(0.1, 0.9, shape) if meta.dtype.kind in "fc" else rng.randint(-1, high, shape)
    return np.asarray(numbers).astype(meta.dtype)


def _testing(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Return the function's result in evaluation mode."""
    asked = signature(function).bind(*args, **options)
    asked.arguments["training"] = False
    return function(*asked.args, **asked.kwargs)


def _packed(state: GeneratorState) -> Array:
    return np.array([state.seed, *state.state, *state.words], np.uint64).view(np.int64)


def _unpacked(numbers: Array) -> GeneratorState:
    seed, rest = int(numbers[0]), numbers[1:].view(np.uint64)
    return GeneratorState(seed, rest[:WORDS], rest[WORDS:])


def _stops(out: Tensor) -> bool:
    return out.stop_gradient or out.array.dtype.kind not in "fc"


def _common(tensors: Sequence[Tensor]) -> Meta:
    """Return the common Meta of tensors; -1 for sizes that differ."""
    metas = [meta_of(one.array) for one in tensors]
    shapes = [one.shape for one in metas if one.ndim == metas[0].ndim]
    return Meta(tuple([sizes[0] if len({*sizes}) == 1 else -1 for sizes in zip(*shapes)]), metas[0].dtype)
