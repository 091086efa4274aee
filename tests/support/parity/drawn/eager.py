"""Draws random eager programs: :func:`program` of a number is a list of lines.

A program is drawn without being run: the generator knows the shapes and types that its names should have, and so it
draws mostly sense. A line that raises is answered with the type of its error, and the names that it would have made are
not known to the lines after it. No integer is raised to a negative power: Paddle 3.3.1 never ends then.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import NamedTuple

from .tables import tables

TABLES = tables("eager_lines")
Shape = tuple[int, ...]
SHAPES: list[Shape] = [(), (1,), (3,), (2, 3), (2, 3), (3, 2), (2, 1), (1, 3), (2, 2, 3), (3, 3)]
SMALL: list[Shape] = [(), (1,), (1,), (0,), (1, 1), (1, 3), (3, 1), (0, 3), (2, 0), (1, 2, 1), (2, 1)]
"""What every third program begins with: sizes 0 and 1."""
FLOATS, WHOLE = ("float32", "float64"), ("int64", "int32")
NUMBERS = ["2", "-1", "0.5", "3.7", "0", "True", "-2.5", "7"]
SIGNS = ["+", "-", "*", "/", "//", "%", "<", ">=", "==", "!="]
CASTS = ["float32", "float64", "int32", "int64", "bool"]
REFUSED = 0.04
"""The share of lines whose operands are drawn without looking at what fits."""

OFTEN = {"unary": 5, "binary": 5, "last": 3, "view": 3, "index": 2, "number": 2, "inplace": 3, "reduce": 3}
STEPS = """
    fresh unary binary number last view index reduce inplace write matmul compare whole boolean join pieces cast
    loss hook retain stop without_grad shared leaf_inplace packed
"""
BACKWARDS = ["gradient", "gradient", "backward", "seeded", "clear"]
TWICE = ["fresh", "unary", "binary", "number", "view", "reduce", "matmul", "join", "write", "shared"]
"""The steps of programs that are differentiated twice: what Paddle can differentiate twice."""


class Drawn(NamedTuple):
    """What the generator believes of a tensor."""

    name: str
    shape: Shape
    dtype: str


def broadcast(a: Shape, b: Shape) -> Shape | None:
    """The common shape; None if there is none."""
    width = max(len(a), len(b))
    pairs = list(zip((1,) * (width - len(a)) + a, (1,) * (width - len(b)) + b, strict=True))
    fits = all(one == other or 1 in (one, other) for one, other in pairs)
    return tuple(other if one == 1 else one for one, other in pairs) if fits else None


class Generator:
    """Draws the lines of one program."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.pool: list[Drawn] = []
        self.twice = seed % 4 == 1
        self.layers = seed % 4 == 2  # PyLayers: a second backward pass over one ends Paddle's process
        self.wrong = seed % 12 == 3
        self.shapes = SMALL if seed % 3 == 2 else SHAPES

    # -- what is drawn --------------------------------------------------------------------------------------------

    def pick(self, things: list[str]) -> str:
        return self.rng.choice(things)

    def value(self, fits: Callable[[Drawn], bool] = lambda one: one.dtype in FLOATS) -> Drawn:
        """A tensor that fits, rather a late one; a new one if there is none."""
        found = [one for one in self.pool if fits(one)]
        if not found:
            return self.fresh(fits)
        late = min(int(self.rng.expovariate(0.4)), len(found) - 1)
        return found[-1 - late]

    def partner(self, a: Drawn) -> Drawn:
        """A tensor that can stand beside `a`."""
        if self.rng.random() < REFUSED:
            return self.value(lambda one: True)
        return self.value(lambda b: b.dtype == a.dtype and broadcast(a.shape, b.shape) is not None)

    def new(self, text: str, shape: Shape, dtype: str) -> Drawn:
        """Let a new name be what `text` gives."""
        made = Drawn(f"t{len(self.lines)}", shape, dtype)
        self.lines.append(f"{made.name} = {text}")
        self.pool.append(made)
        return made

    def say(self, text: str) -> None:
        """A line that makes nothing new."""
        self.lines.append(text)

    def fresh(self, fits: Callable[[Drawn], bool] = lambda one: True) -> Drawn:
        """A new leaf that fits, if one of the common shapes does."""
        dtypes = ["float32"] * 5 + ["float64"] * 3 + ([] if self.twice else ["int64", "int32", "bool"])
        for _ in range(200):
            shape, dtype = self.rng.choice(self.shapes), self.pick(dtypes)
            if fits(Drawn("", shape, dtype)):
                break
        wants = dtype in FLOATS and self.rng.random() < 0.75
        how = "" if self.rng.random() < 0.75 else ", ties=True"
        text = f"data({self.rng.randrange(100)}, {list(shape)}, {dtype!r}, {wants}{how})"
        return self.new(text, shape, dtype)

    # -- steps ----------------------------------------------------------------------------------------------------

    def unary(self) -> None:
        a = self.value()
        text = self.pick(TABLES["smooth"] if self.twice else TABLES["smooth"] + TABLES["unary"])
        dtype = next((one for one in FLOATS if f".astype('{one}')" in text), a.dtype)
        self.new(text.format(a=a.name), a.shape, dtype)

    def binary(self) -> None:
        a = self.value()
        b = self.partner(a)
        text = self.pick(TABLES["binary"] if self.twice else TABLES["binary"] * 2 + TABLES["binary_once"])
        if self.rng.random() < 0.5 and "add_n" not in text:
            a, b = b, a
        self.new(text.format(a=a.name, b=b.name), broadcast(a.shape, b.shape) or a.shape, a.dtype)

    def number(self) -> None:
        a, number = self.value(lambda one: not self.twice or one.dtype in FLOATS), self.pick(NUMBERS)
        sign = self.pick(SIGNS[:4] if self.twice else SIGNS)
        text = f"{a.name} {sign} {number}" if self.rng.random() < 0.6 else f"{number} {sign} {a.name}"
        floats = a.dtype in FLOATS or "." in number or sign == "/"
        dtype = "bool" if sign in SIGNS[6:] else a.dtype if not floats or a.dtype in FLOATS else "float32"
        self.new(text, a.shape, dtype)

    def last(self) -> None:
        a = self.value(lambda one: one.dtype in FLOATS and len(one.shape) > 0)
        dtype = "int64" if "argsort" in (text := self.pick(TABLES["last"])) else a.dtype
        self.new(text.format(a=a.name, n=a.shape[-1]), a.shape, dtype)

    def reduce(self) -> None:
        a = self.value()
        text = self.pick(TABLES["reduced"] if self.twice else TABLES["reduced"] + TABLES["reduced_once"])
        dtype = "int64" if "arg" in text or "count" in text else "bool" if "> 0" in text else a.dtype
        if not a.shape or self.rng.random() < 0.3:
            self.new(text.format(a=a.name, axis="", args=""), (), dtype)
            return
        axis, keep = self.rng.randrange(len(a.shape)), self.rng.random() < 0.5
        shown = axis if self.rng.random() < 0.5 else axis - len(a.shape)
        if len(a.shape) == 2 and self.rng.random() < 0.1 and not any(one in text for one in ("arg", "norm")):
            args, shape = "axis=[0, 1]", ((1, 1) if keep else ())
        else:
            sizes = [1 if place == axis else size for place, size in enumerate(a.shape)]
            args = f"axis={shown}"
            shape = tuple(size for place, size in enumerate(sizes) if keep or place != axis)
        args += ", keepdim=True" if keep else ""
        self.new(text.format(a=a.name, axis=f", {args}", args=args), shape, dtype)

    def view(self) -> None:
        a = self.value(lambda one: not self.twice or one.dtype in FLOATS)
        text = self.pick(TABLES["views"])
        shape, size = a.shape, math.prod(a.shape)
        inner = text.removeprefix("{a}")
        shapes: dict[str, Shape | None] = {
            ".reshape([-1])": (size,), ".flatten()": (size,), ".view([-1])": (size,), ".reshape([1, -1])": (1, size),
            ".T": shape[::-1], ".transpose(list(range({a}.ndim))[::-1])": shape[::-1], ".unsqueeze(0)": (1, *shape),
            ".unsqueeze(-1)": (*shape, 1), ".squeeze()": tuple(one for one in shape if one != 1),
            "[0]": shape[1:], "[-1]": shape[1:], "[None]": (1, *shape), "[:1]": (1, *shape[1:]),
            "[..., 0]": shape[:-1], "[1:]": (shape[0] - 1, *shape[1:]) if shape and shape[0] > 1 else None,
            "[::2]": ((shape[0] + 1) // 2, *shape[1:]) if shape else None,
        }  # fmt: skip
        drawn = shapes.get(inner, shape)
        if drawn is not None and (shape or "[" not in inner or self.rng.random() < 0.2):
            self.new(text.format(a=a.name), drawn, a.dtype)

    def index(self) -> None:
        a = self.value(lambda one: len(one.shape) > 0)
        self.new(f"{a.name}[{self.pick(TABLES['keys']).format(a=a.name)}]", a.shape[1:], a.dtype)

    def write(self) -> None:
        a = self.value(lambda one: len(one.shape) > 0 and one.dtype in FLOATS)
        made = self.new(f"{a.name} * 1", a.shape, a.dtype)
        keys = ["0", "-1", "..., 0", ":1", "1:", "::2"]
        key = self.pick(keys if self.twice else keys + TABLES["keys"]).format(a=made.name)
        b = self.partner(a)
        self.say(
            f"{made.name}[{key}] = {self.pick(['1.5', '2', b.name, f'{b.name}[0]', f'{a.name}[-1] * 2'])}"
        )

    def inplace(self) -> None:
        a = self.value(lambda one: True)
        b = self.partner(a)
        made = self.new(f"{a.name} * 1", a.shape, a.dtype)
        if self.rng.random() < 0.3:
            made = self.new(
                f"{made.name}{self.pick(['.reshape([-1])', '.detach()', '.unsqueeze(0)', '[:1]'])}",
                (),
                a.dtype,
            )
        self.say(f"{made.name}.{self.pick(TABLES['inplace']).format(a=made.name, b=b.name)}")

    def leaf_inplace(self) -> None:
        a = self.value(lambda one: True)
        text = f"{a.name}.{self.pick(['add_(paddle.ones([]))', 'scale_(2.0)', 'tanh_()', 'zero_()', 'clip_(0, 1)'])}"
        self.say(f"with paddle.no_grad(): {text}" if self.rng.random() < 0.4 else text)

    def shared(self) -> None:
        a = self.value()
        made = self.new(f"{a.name} * {self.pick(['1', a.name])}", a.shape, a.dtype)
        self.new(f"paddle.{self.pick(['square', 'tanh', 'abs', 'sin'])}({made.name})", a.shape, a.dtype)
        self.say(f"{made.name}.{self.pick(['scale_(2.0)', 'add_(paddle.ones([]))', 'detach().scale_(2.0)'])}")

    def matmul(self) -> None:
        a = self.value(lambda one: one.dtype in FLOATS and len(one.shape) in (1, 2))
        b = self.value(
            lambda one: one.dtype == a.dtype and len(one.shape) in (1, 2) and one.shape[0] == a.shape[-1]
        )
        if self.rng.random() < 0.15:
            b = self.value(lambda one: True)
        texts = ["{a} @ {b}", "paddle.matmul({a}, {b})", "paddle.matmul({b}, {a}, True, True)", "{a} @ {b}"]
        self.new(self.pick(texts).format(a=a.name, b=b.name), (*a.shape[:-1], *b.shape[1:]), a.dtype)

    def compare(self) -> None:
        a = self.value(lambda one: True)
        b = self.partner(a)
        text = self.pick(TABLES["compared"])
        self.new(text.format(a=a.name, b=b.name), broadcast(a.shape, b.shape) or (), "bool")

    def whole(self) -> None:
        a = self.value(lambda one: one.dtype in WHOLE)
        text = self.pick(TABLES["whole"])
        dtype = "float32" if "float" in text or "." in text.split("}")[-1] or "/ 2" in text else a.dtype
        self.new(text.format(a=a.name), a.shape, dtype)

    def boolean(self) -> None:
        a = self.value(lambda one: one.dtype == "bool")
        b = self.value(lambda one: one[1:] == a[1:])
        self.new(self.pick(TABLES["boolean"]).format(a=a.name, b=b.name), a.shape, "bool")

    def join(self) -> None:
        a = self.value()
        b = self.value(lambda one: one[1:] == a[1:])
        if a.shape and self.rng.random() < 0.5:
            axis = self.rng.randrange(len(a.shape))
            shape = tuple(2 * size if place == axis else size for place, size in enumerate(a.shape))
            self.new(f"paddle.concat([{a.name}, {b.name}], axis={axis})", shape, a.dtype)
        else:
            self.new(f"paddle.stack([{a.name}, {b.name}])", (2, *a.shape), a.dtype)

    def pieces(self) -> None:
        a = self.value(lambda one: len(one.shape) > 1 and one.dtype in FLOATS)
        self.new(self.pick(TABLES["pieces"]).format(a=a.name, m=a.shape[0]), a.shape[1:], a.dtype)

    def cast(self) -> None:
        a, dtype = self.value(lambda one: True), self.pick(CASTS)
        self.new(f"{a.name}.astype({dtype!r})", a.shape, dtype)

    def loss(self) -> None:
        a = self.value(lambda one: one.shape == (2, 3) and one.dtype in FLOATS)
        self.new(self.pick(TABLES["losses"]).format(a=a.name), (), a.dtype)

    def hook(self) -> None:
        a = self.value()
        change = self.pick(["None", "2.0", "-0.5"])
        self.say(f"h{len(self.lines)} = {a.name}.register_hook(watch({a.name!r}, {change}))")
        if self.rng.random() < 0.15:
            self.say(f"n{len(self.lines)} = h{len(self.lines) - 1}.remove()")

    def retain(self) -> None:
        self.say(f"{self.value().name}.retain_grads()")

    def stop(self) -> None:
        a = self.value()
        self.say(f"{a.name}.stop_gradient = {self.rng.random() < 0.5}")

    def without_grad(self) -> None:
        a = self.value()
        text = self.pick(["{a} * 3", "paddle.tanh({a})", "{a}.reshape([-1])", "{a}.clone()"]).format(a=a.name)
        self.say(f"with paddle.no_grad(): t{len(self.lines)} = {text}")

    def packed(self) -> None:
        a, b = self.value(), self.value()
        text = self.pick(["{a} * {a}", "paddle.tanh({a})", "{a} / ({b} * {b} + 1)", "F.softmax({a})"])
        line = f"t{len(self.lines)} = {text.format(a=a.name, b=b.name)}"
        self.say(f"with paddle.autograd.saved_tensors_hooks(lambda t: t.numpy(), paddle.to_tensor): {line}")

    def gradient(self) -> None:
        a, b = self.value(), self.value()
        flags = self.pick(
            ["", ", create_graph=True", ", allow_unused=True", ", allow_unused=True", ", retain_graph=True"]
        )
        self.new(
            f"some(paddle.grad(({a.name} * {a.name}).sum(), {b.name}{flags})[0], {b.name})", b.shape, b.dtype
        )

    def backward(self) -> None:
        a = self.value()
        flag = "retain_graph=True" if self.rng.random() < 0.9 else ""
        self.say(f"{a.name}.{self.pick(['sum()', 'mean()', 'tanh()'])}.backward({flag})")

    def seeded(self) -> None:
        a = self.value()
        self.say(f"{a.name}.backward({a.name}.detach() * 0.5, retain_graph=True)")

    def clear(self) -> None:
        self.say(
            f"{self.value().name}.{self.pick(['clear_grad()', 'clear_gradient(False)', 'clear_gradient()'])}"
        )

    def layer(self) -> None:
        a = self.value()
        b = self.value(lambda one: one[1:] == a[1:])
        self.new(f"layer({self.rng.randrange(12)}, {a.name}, {b.name})", a.shape, a.dtype)

    def refused(self) -> None:
        self.say(f"bad{len(self.lines)} = {self.pick(TABLES['wrong']).format(a=self.value().name)}")


def program(seed: int) -> list[str]:
    """Draw a program: its lines."""
    draw = Generator(seed)
    names = TWICE if draw.twice else STEPS.split() + (["layer"] * 6 if draw.layers else BACKWARDS)
    steps = [name for name in names for _ in range(OFTEN.get(name, 1))]
    for _ in range(3):
        draw.fresh(lambda one: one.dtype in FLOATS)
    for _ in range(draw.rng.randrange(8, 18)):
        getattr(draw, draw.pick(steps))()
        if draw.wrong:
            draw.refused()
    return [*draw.lines, f"end = finish({2 if draw.twice else 1})"]
