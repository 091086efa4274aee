"""Random eager programs, the same on minipaddle and on real Paddle: a number is a program.

    /tmp/paddle33/bin/python -m tests.support.parity.random_eager FIRST LAST > FILE  # each a line of JSON

Paddle prints warnings between the lines, and dies of a program now and then: begin again after that one. Of the first
programs `results/random_eager.jsonl` keeps those on which both agree; where they differ, docs/parity.md has the row.

Each step takes tensors that the steps before have made, does one thing, and says what came: dtype, shape, numbers,
stop_gradient, is_leaf, inplace_version; or the type of the error. In the end there is a backward pass.
"""

import json
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

STEPS = 14
SHAPES = [(), (1,), (3,), (2, 3), (3, 2), (2, 1), (1, 3), (2, 2, 3)]
UNARY = ["tanh", "exp", "abs", "sin", "cos", "square", "sigmoid", "floor", "neg", "sign", "erf"]
BINARY = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "matmul"]
INPLACE = ["tanh_", "exp_", "abs_", "square_", "sigmoid_", "zero_", "floor_", "flatten_", "unsqueeze_"]
DTYPES = ["float32", "float64", "int32", "int64", "bool"]


class Machine:
    """The tensors of one program, and what it may do with them."""

    def __init__(self, paddle: Any, seed: int) -> None:
        self.paddle = paddle
        self.rng = random.Random(seed)
        self.pool: list[Any] = []
        self.said: list[Any] = []
        self.seen: list[Any] = []

    # -- what is drawn ----------------------------------------------------------------------------------------

    def pick(self) -> Any:
        return self.pool[self.rng.randrange(len(self.pool))]

    def floating(self) -> Any:
        x = self.pick()  # many operators of Paddle have no kernel for other types
        return x if "float" in str(x.dtype) else x.astype("float32")

    def rows(self) -> Any:
        x = self.pick()
        return x if x.ndim else x.reshape([1])

    def numbers(self, shape: tuple[int, ...], dtype: str) -> np.ndarray:
        drawn = [self.rng.uniform(-2, 2) for _ in range(int(np.prod(shape)))]
        return np.array(drawn).reshape(shape).astype(dtype)

    def fresh(self) -> Any:
        shape, dtype = self.rng.choice(SHAPES), self.rng.choice(DTYPES[:2] * 3 + DTYPES)
        wants = dtype.startswith("float") and self.rng.random() < 0.7
        return self.paddle.to_tensor(self.numbers(shape, dtype), stop_gradient=not wants)

    # -- steps ------------------------------------------------------------------------------------------------

    def make(self) -> Any:
        return self.fresh()

    def unary(self) -> Any:
        name, x = self.rng.choice(UNARY), self.floating()
        return getattr(self.paddle, name)(x)

    def binary(self) -> Any:
        name, x, y = self.rng.choice(BINARY), self.pick(), self.pick()
        return getattr(self.paddle, name)(x, y)

    def sign(self) -> Any:
        x, y = self.pick(), self.rng.choice([self.pick(), 2.0, 3, -1])
        return self.rng.choice(
            [lambda: x + y, lambda: x - y, lambda: x * y, lambda: y * x, lambda: x < y, lambda: 2.0 - x]
        )()

    def reduce(self) -> Any:
        x, axis, keep = self.floating(), self.rng.choice([None, 0, -1, 1]), self.rng.random() < 0.3
        name = self.rng.choice(["sum", "mean", "max", "min", "prod"])
        return getattr(self.paddle, name)(x, axis=axis, keepdim=keep)

    def view(self) -> Any:
        x = self.pick()
        return self.rng.choice(
            [
                lambda: x.reshape([-1]),
                lambda: x.reshape(list(x.shape)),
                lambda: x.transpose(list(range(x.ndim))[::-1]),
                lambda: x.unsqueeze(0),
                lambda: x.squeeze(),
                lambda: x.flatten(),
                lambda: x.reshape([2, -1]),
                lambda: x.T,
            ]
        )()

    def index(self) -> Any:
        x = self.rows()
        several = [0, x.shape[0] - 1]
        key = self.rng.choice([0, -1, slice(1, None), (Ellipsis, 0), None, several, slice(None, None, 2), 5])
        return x[key]

    def assign(self) -> Any:
        x = self.rows() * 1
        key = self.rng.choice([0, -1, (Ellipsis, 0), slice(None)])
        x[key] = self.rng.choice([1.5, 2, self.pick()])
        return x

    def inplace(self) -> Any:
        x = self.floating() * 1
        name = self.rng.choice(INPLACE)
        self.pool.append(x)
        return getattr(x, name)(*([0] if name == "unsqueeze_" else []))

    def inplace_binary(self) -> Any:
        x, name = self.pick() * 1, self.rng.choice(["add_", "subtract_", "multiply_"])
        return getattr(x, name)(self.pick().astype(x.dtype))

    def refused_on_a_leaf(self) -> Any:
        x = self.pick().detach().clone()
        x.stop_gradient = False
        return x.scale_(2.0)

    def shared(self) -> Any:
        x = self.rows() * 1
        alias = self.rng.choice([lambda: x.detach(), lambda: x.reshape([-1]), lambda: x.unsqueeze(0)])()
        alias.scale_(2.0)
        self.pool.append(x)
        return alias

    def cast(self) -> Any:
        return self.pick().astype(self.rng.choice(DTYPES))

    def join(self) -> Any:
        x = self.pick()
        name = self.rng.choice(["concat", "stack"])
        return getattr(self.paddle, name)([x, self.rng.choice([x * 2, self.pick()])])

    def split(self) -> Any:
        return self.paddle.split(self.rows(), 2, axis=-1)[1]

    def detached(self) -> Any:
        x = self.pick()
        return self.rng.choice([lambda: x.detach(), lambda: x.clone(), lambda: x.clone().detach_()])()

    def stopped(self) -> Any:
        x = self.pick() * 1
        x.stop_gradient = self.rng.random() < 0.5
        return x

    def hooked(self) -> Any:
        x = self.pick() * 1
        change = self.rng.choice([lambda g: None, lambda g: g * 2])
        x.register_hook(lambda g: self.seen.append(told(g)[:3]) or change(g))
        return x

    def retained(self) -> Any:
        x = self.pick() * 1
        x.retain_grads()
        return x

    def without_grad(self) -> Any:
        with self.paddle.no_grad():
            return self.pick() * 3

    def set_value(self) -> Any:
        x = self.pick() * 1
        x.set_value(self.numbers(self.rng.choice([tuple(x.shape), (3,)]), "float32"))
        return x

    def custom(self) -> Any:
        kind, x, y = self.rng.randrange(6), self.floating(), self.floating()
        y = y if list(y.shape) == list(x.shape) else x * 0.5
        seen = self.seen

        class Custom(self.paddle.autograd.PyLayer):
            @staticmethod
            def forward(ctx, x, y):
                ctx.save_for_backward(x, y)
                ctx.set_materialize_grads(kind != 1)
                out = x * 2 if kind < 4 else x * y
                other = y + 1
                if kind == 2:
                    ctx.mark_non_differentiable(other)
                return out if kind in (0, 4) else (out, other)

            @staticmethod
            def backward(ctx, *grads):
                seen.append([None if g is None else told(g)[:3] for g in grads])
                x, y = ctx.saved_tensor()
                first = None if x.stop_gradient else (grads[0] * 2 if kind < 4 else grads[0] * y)
                second = None if y.stop_gradient or kind == 3 else y * 1
                return first, second

        made = Custom.apply(x, y)
        if isinstance(made, tuple):
            self.pool.append(made[1])
            return made[0]
        return made

    def gradient(self) -> Any:
        x, y = self.pick(), self.pick()
        if x.stop_gradient:
            return y * 1
        create = self.rng.random() < 0.5
        found = self.paddle.grad((y * y).sum(), x, create_graph=create, retain_graph=True, allow_unused=True)[
            0
        ]
        return found if found is not None else x * 1

    def backward(self) -> Any:
        x = self.pick()
        (x * x).sum().backward(retain_graph=True)
        return x * 1

    # -- a run ------------------------------------------------------------------------------------------------

    def run(self) -> list[Any]:
        names = [name for name in vars(Machine) if name not in NOT_STEPS and name[0] != "_"]
        self.pool += [self.fresh(), self.fresh(), self.fresh()]
        for _ in range(STEPS):
            name = self.rng.choice(names)
            self.step(name, getattr(self, name))
        self.step("last", self.last)
        return self.said

    def step(self, name: str, do: Callable[[], Any]) -> None:
        try:
            made = do()
        except Exception as error:
            self.said.append([name, type(error).__name__])
            return
        self.pool.append(made)
        self.said.append([name, told(made)])

    def last(self) -> Any:
        """Backward from the sum of all that is a float and wants a gradient; what every tensor holds then."""
        roots = [x for x in self.pool if not x.stop_gradient and "float" in str(x.dtype)]
        total = sum(((x.astype("float64") ** 2).sum() for x in roots), self.paddle.zeros([], "float64"))
        try:
            total.backward()
        except Exception as error:
            self.said.append(["backward", type(error).__name__])
        self.said += [["tensor", told(x), None if x.grad is None else told(x.grad)[:3]] for x in self.pool]
        self.said.append(["seen", self.seen])
        return total


NOT_STEPS = {"pick", "floating", "rows", "numbers", "fresh", "run", "step", "last"}


def told(tensor: Any) -> list[Any]:
    """What there is to say of a tensor."""
    numbers = np.asarray(tensor.numpy())
    return [
        str(numbers.dtype),
        list(numbers.shape),
        [float(f"{number:.6g}") for number in numbers.astype("float64").ravel()],
        bool(tensor.stop_gradient),
        bool(tensor.stop_gradient or tensor.is_leaf),
        int(tensor.inplace_version),
    ]


def run(paddle: Any, seed: int) -> list[Any]:
    """What the program of that number says."""
    with np.errstate(all="ignore"):
        return Machine(paddle, seed).run()


def differences(wanted: Any, got: Any, path: str = "") -> Iterator[str]:
    """Where two runs differ; numbers may differ by a rounding."""
    if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        for place, (a, b) in enumerate(zip(wanted, got, strict=True)):
            yield from differences(a, b, f"{path}/{place}")
    elif isinstance(wanted, float) and isinstance(got, float):
        if not np.isclose(wanted, got, rtol=2e-4, atol=1e-5, equal_nan=True):
            yield f"{path}: {got}, Paddle has {wanted}"
    elif wanted != got:
        yield f"{path}: {got}, Paddle has {wanted}"


if __name__ == "__main__":
    import paddle as real

    for number in range(int(sys.argv[1]), int(sys.argv[2])):
        sys.stdout.write(json.dumps([number, run(real, number)]) + "\n")
        sys.stdout.flush()
