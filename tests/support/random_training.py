"""Random training scripts, for what must hold of any: which sums, hooks, bodies and updates they have is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.paddle import optimizer as O
from minipaddle.tools.record import Recorder

__all__ = ["Training", "trainings"]


def _layer(answer):
    """Return a PyLayer of two inputs and two outputs whose backward answers so."""

    class Layer(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * 2, paddle.tanh(y)

        @staticmethod
        def backward(ctx, dx, dy):
            _, y = ctx.saved_tensor()
            return answer(dx * 2, dy * (1 - paddle.tanh(y) * paddle.tanh(y)))

    return Layer


LAYERS = {
    "plain": _layer(lambda dx, dy: (dx, dy)),
    "swapped": _layer(lambda dx, dy: (dy, dx)),
    "repeated": _layer(lambda dx, dy: (dx, dx)),
    "none": _layer(lambda dx, dy: (dx, None)),
    "passed": _layer(lambda dx, dy: (dy, dy * 1)),
}


@paddle.no_grad()
def _overwrite(grad):
    grad.scale_(0.5)


HOOKS = {
    "looks": lambda grad: None,
    "doubles": lambda grad: grad * 2,
    "clips": lambda grad: paddle.clip(grad, -0.3, 0.3),
    "overwrites": _overwrite,
    "same": lambda grad: grad,
}

CLIPS = {
    "": lambda: None,
    "value": lambda: paddle.nn.ClipGradByValue(0.4),
    "norm": lambda: paddle.nn.ClipGradByNorm(0.4),
    "global": lambda: paddle.nn.ClipGradByGlobalNorm(0.4),
}

OPTIMIZERS = {
    "sgd": lambda **options: O.SGD(0.1, **options),
    "momentum": lambda **options: O.Momentum(0.1, **options),
    "adam": lambda **options: O.Adam(0.1, **options),
}


@dataclass(frozen=True)
class Training:
    """A script: how many parameters, what is computed of them, what is hooked, who updates which."""

    parameters: int
    calls: tuple[tuple[str, int, int], ...]
    """(what, place of one operand, place of the other) among all that there is then, from the end."""
    hooks: tuple[tuple[int, str], ...]
    """(place among parameters and results, what the hook does)."""
    roots: tuple[int, ...]
    """Places of the roots of each pass, from the end; a second one has a seed of the user's."""
    passes: int
    """Backward passes before each update."""
    optimizers: tuple[tuple[str, str, float, tuple[int, ...]], ...]
    """(algorithm, clip, weight decay, numbers of parameters)."""
    steps: int
    clear: bool

    def run(self, values):
        """Train parameters that begin with `values`; return them and their gradients."""
        made = [
            paddle.create_parameter(
                [2], "float32", name=f"p{number}", default_initializer=paddle.nn.initializer.Assign(value)
            )
            for number, value in enumerate(values)
        ]
        optimizers = [
            OPTIMIZERS[algorithm](
                parameters=[made[number] for number in numbers],
                grad_clip=CLIPS[clip](),
                weight_decay=decay or None,
            )
            for algorithm, clip, decay, numbers in self.optimizers
        ]
        for step in range(self.steps):
            for _ in range(self.passes):
                self._backward(made, hook_leaves=step == 0 and _ == 0)
            for optimizer in optimizers:
                optimizer.step()
            if self.clear:
                for optimizer in optimizers:
                    optimizer.clear_grad()
        return made

    def _backward(self, made, hook_leaves):
        known = list(made)
        for what, one, other in self.calls:
            a, b = known[-1 - one % len(known)], known[-1 - other % len(known)]
            known += _called(what, a, b)
        for place, what in self.hooks:
            tensor = known[place % len(known)]
            if not tensor.stop_gradient and (hook_leaves or place % len(known) >= len(made)):
                tensor.register_hook(HOOKS[what])
        chosen = {id(known[-1 - place % len(known)]): known[-1 - place % len(known)] for place in self.roots}
        roots = [root for root in chosen.values() if not root.stop_gradient] or [made[0] * 1]
        seeds = [None, *(paddle.full([2], 0.5) for _ in roots[1:])]
        paddle.autograd.backward(roots, seeds)

    def recorded(self, values):
        """Return a recording of :meth:`run`, and the parameters."""
        recorder = Recorder("training.py")
        with watching(recorder), paddle.utils.unique_name.guard():
            made = self.run(values)
        return recorder.finish(), made


def _called(what, a, b):
    if what in LAYERS:
        return LAYERS[what].apply(a, b)
    calls = {
        "add": lambda: a + b,
        "mul": lambda: a * b,
        "tanh": lambda: paddle.tanh(a),
        "scale": lambda: a * 3,
        "detached": lambda: a * b.detach(),
        "viewed": lambda: (a.reshape([1, 2]) + b).reshape([2]),
        "split": lambda: paddle.split(a, 2)[0] + b,
    }
    return [calls[what]()]


_PLACE = st.integers(0, 6)
_CALLS = [*LAYERS, "add", "mul", "tanh", "scale", "detached", "viewed", "split"]


@st.composite
def trainings(draw):
    """Draw a training script."""
    count = draw(st.integers(2, 4))
    numbers = st.lists(st.integers(0, count - 1), min_size=1, max_size=count, unique=True).map(tuple)
    one = st.tuples(
        st.sampled_from(sorted(OPTIMIZERS)),
        st.sampled_from(sorted(CLIPS)),
        st.sampled_from([0.0, 0.1]),
        numbers,
    )
    call = st.tuples(st.sampled_from(_CALLS), _PLACE, _PLACE)
    return Training(
        parameters=count,
        calls=tuple(draw(st.lists(call, min_size=1, max_size=7))),
        hooks=tuple(
            draw(st.lists(st.tuples(st.integers(0, 12), st.sampled_from(sorted(HOOKS))), max_size=4))
        ),
        roots=tuple(draw(st.lists(_PLACE, min_size=1, max_size=3))),
        passes=draw(st.integers(1, 2)),
        optimizers=tuple(draw(st.lists(one, min_size=1, max_size=2))),
        steps=draw(st.integers(1, 2)),
        clear=draw(st.booleans()),
    )


def equal(count):
    """Return the first values of `count` parameters: all alike."""
    return [np.array([0.5, 0.5], "f4") for _ in range(count)]


def different(count):
    """Return first values by which everything can be told from everything."""
    rng = np.random.default_rng(count)
    return [rng.uniform(0.2, 0.9, 2).astype("f4") for _ in range(count)]
