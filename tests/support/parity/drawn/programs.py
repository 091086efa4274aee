"""Draws random Programs: :func:`program` of a number is a list of lines.

A Program is drawn without being run: the generator knows the shapes and types that its expressions have, and so it
draws mostly sense. A line that raises is answered with the type of its error, and its names stay unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .tables import tables

TABLES = tables("program_lines")
Shape = tuple[int, ...]
ROWS = 2  # what is fed for -1


class Drawn(NamedTuple):
    """What the generator knows of a value."""

    name: str
    shape: Shape
    kind: str  # "f", "i" or "b"


OFTEN = {"same": 3, "binary": 3, "last": 2}
ORDER = "same binary reduce last matmul fc compare whole ints slice cond loop rule host moved mixed loss"
KINDS = [kind for kind in ORDER.split(" ") for _ in range(OFTEN.get(kind, 1))]


class Generator:
    """Draws the lines of one program."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.RandomState(seed)
        self.lines: list[str] = []
        self.pool: list[Drawn] = []
        self.count = 0
        self.single = bool(self.random.randint(3))
        self.known = bool(self.random.randint(2))

    def pick(self, things: Any) -> Any:
        """One of them."""
        return things[self.random.randint(len(things))]

    def value(self, kind: str = "f", fits: Callable[[Shape], bool] = lambda shape: True) -> Drawn | None:
        """A value of that kind, rather a late one."""
        found = [one for one in self.pool if one.kind == kind and fits(one.shape)]
        return None if not found else found[-1 - min(self.random.geometric(0.35) - 1, len(found) - 1)]

    def new(self, text: str, shape: Shape, kind: str = "f") -> None:
        """Let a new name be what `text` gives."""
        self.count += 1
        name = f"v{self.count}"
        self.lines.append(f"{name} = {text}")
        self.pool.append(Drawn(name, shape, kind))

    def inputs(self) -> None:
        """Placeholders and parameters."""
        dtype = "float32" if self.single else "float64"
        for shape in [(ROWS, 3), (ROWS, 3), self.pick([(3,), (ROWS, 1), (1, 3), (), (3, 3)])]:
            self.count += 1
            name = f"x{self.count}"
            declared = [-1, *shape[1:]] if not self.known and shape[:1] == (ROWS,) else list(shape)
            self.lines.append(f"{name} = data({name!r}, {declared}, {list(shape)}, {dtype!r})")
            self.pool.append(Drawn(name, shape, "f"))
        if self.random.randint(2):
            self.count += 1
            name = f"w{self.count}"
            self.lines.append(f"{name} = weight({name!r}, [3, 3], {dtype!r})")
            self.pool.append(Drawn(name, (3, 3), "f"))

    def step(self) -> None:
        """One more line, or a few."""
        getattr(self, f"_{self.pick(KINDS)}")()

    def _same(self) -> None:
        a = self.value()
        self.new(self.pick(TABLES["same"]).format(a=a.name), a.shape)

    def _binary(self) -> None:
        a, b = self.value(), self.value()
        try:
            shape = np.broadcast_shapes(a.shape, b.shape)
        except ValueError:
            return
        self.new(self.pick(TABLES["binary"]).format(a=a.name, b=b.name), shape)

    def _reduce(self) -> None:
        a = self.value()
        if not a.shape or not self.random.randint(4):
            self.new(self.pick(TABLES["reduced"]).format(a=a.name, axis="", args=""), ())
            return
        axis, keep = self.random.randint(len(a.shape)), bool(self.random.randint(2))
        shown = axis if self.random.randint(2) else axis - len(a.shape)
        shape = tuple(
            1 if place == axis else size for place, size in enumerate(a.shape) if keep or place != axis
        )
        args = f"axis={shown}" + (", keepdim=True" if keep else "")
        self.new(self.pick(TABLES["reduced"]).format(a=a.name, axis=", " + args, args=args), shape)

    def _last(self) -> None:
        a = self.value(fits=len)
        if a is not None:
            self.new(self.pick(TABLES["last"]).format(a=a.name, last=a.shape[-1]), a.shape)

    def _matmul(self) -> None:
        a = self.value(fits=lambda shape: len(shape) == 2)
        b = a and self.value(fits=lambda shape: len(shape) == 2 and shape[0] == a.shape[1])
        if a and b:
            text = self.pick(
                [
                    "{a} @ {b}",
                    "paddle.matmul({a}, {b})",
                    "paddle.matmul({b}, {a}, transpose_x=True, transpose_y=True).T",
                ]
            )
            self.new(text.format(a=a.name, b=b.name), (a.shape[0], b.shape[1]))

    def _fc(self) -> None:
        a = self.value(fits=lambda shape: shape == (ROWS, 3))
        text = self.pick(
            [
                "S.nn.fc({a}, 3, weight_attr=attr(0.3), bias_attr=attr(0.1))",
                "S.nn.fc({a}, 3, weight_attr=attr(0.2), bias_attr=False, activation='tanh')",
            ]
        )
        if a is not None:
            self.new(text.format(a=a.name), (ROWS, 3))

    def _compare(self) -> None:
        a, b = self.value(), self.value()
        try:
            self.new(
                self.pick(TABLES["compared"]).format(a=a.name, b=b.name),
                np.broadcast_shapes(a.shape, b.shape),
                "b",
            )
        except ValueError:
            return

    def _whole(self) -> None:
        a = self.value()
        self.new(self.pick(TABLES["whole"]).format(a=a.name), a.shape, "i")

    def _ints(self) -> None:
        a = self.value("i")
        if a is not None:
            self.new(self.pick(TABLES["of_ints"]).format(a=a.name), a.shape, "i")

    def _mixed(self) -> None:
        a, i, b = self.value(), self.value("i"), self.value("b")
        if i is not None and i.shape == a.shape:
            self.new(
                self.pick(["{a} * {i}", "{i} + {a}", "{i} / 2 + {a}", "{a} - {i}.astype({a}.dtype)"]).format(
                    a=a.name, i=i.name
                ),
                a.shape,
            )
        if b is not None and b.shape == a.shape:
            self.new(
                self.pick(["{a} * {b}.astype({a}.dtype)", "paddle.where({b}, {a}, {a} * 2)"]).format(
                    a=a.name, b=b.name
                ),
                a.shape,
            )

    def _slice(self) -> None:
        a = self.value(fits=lambda shape: len(shape) == 2)
        if a is not None:
            rows, columns = a.shape
            text, shape = self.pick(
                [
                    ("{a}[0]", (columns,)),
                    ("{a}[:, 1:]", (rows, columns - 1)),
                    ("{a}[-1:]", (1, columns)),
                    ("{a}[:, 0]", (rows,)),
                    ("{a}[..., None]", (*a.shape, 1)),
                    ("{a}[::-1]", a.shape),
                    ("{a}.T[0]", (rows,)),
                ]
            )
            if 0 not in shape:
                self.new(text.format(a=a.name), shape)

    def _moved(self) -> None:
        a = self.value(fits=lambda shape: len(shape) == 2)
        if a is not None:
            text = self.pick(
                [
                    "paddle.transpose({a}, [1, 0])",
                    "{a}.T",
                    "paddle.reshape({a}, [{c}, {r}])",
                    "paddle.t({a})",
                    "{a}.transpose([1, 0])",
                ]
            )
            self.new(text.format(a=a.name, r=a.shape[0], c=a.shape[1]), a.shape[::-1])

    def _loss(self) -> None:
        a = self.value(fits=lambda shape: shape == (ROWS, 3))
        if a is not None:
            text = self.pick(
                [
                    "F.cross_entropy({a}, label())",
                    "F.mse_loss({a}, {a} * 0.5)",
                    "F.smooth_l1_loss({a}, {a} * 0.5 + 1.0)",
                    "F.binary_cross_entropy_with_logits({a}, F.sigmoid({a}).detach())",
                    "F.kl_div(F.log_softmax({a}), F.softmax({a} * 2).detach())",
                    "F.l1_loss({a}, {a} * 0.1)",
                ]
            )
            self.new(text.format(a=a.name), ())

    def wrong(self) -> None:
        a = self.value()
        self.lines.append(f"bad{len(self.lines)} = {self.pick(TABLES['wrong']).format(a=a.name)}")

    def _cond(self) -> None:
        a = self.value()
        test = self.pick(
            ["paddle.mean({a}) > 0.0", "paddle.sum({a}) < 100.0", "paddle.full([1], 1) < paddle.full([1], 0)"]
        ).format(a=a.name)
        one, other = (self.pick(TABLES["same"]).format(a=a.name) for _ in range(2))
        self.new(f"S.nn.cond({test}, lambda: {one}, lambda: {other})", a.shape)

    def _loop(self) -> None:
        a, times = self.value(), self.random.randint(4)
        turn = self.pick(["paddle.tanh(k * {a})", "k * 0.5 + {a}", "paddle.sin(k)", "k * k * 0.3"]).format(
            a=a.name
        )
        start = f"[paddle.zeros([1], 'int64'), {a.name} * 1.0]"
        loop = f"S.nn.while_loop(lambda i, k: i < {times}, lambda i, k: [i + 1, {turn}], {start})"
        self.new(f"{loop}[1]", a.shape)

    def _rule(self) -> None:
        a = self.value()
        forward, backward = self.pick(
            [
                ("paddle.tanh(a)", "3.0 * d"),
                ("a * 2.0", "d * paddle.cos({a})"),
                ("paddle.floor(a)", "d"),
                ("(a > 0.0).astype(a.dtype)", "d * 2.0"),
                ("paddle.exp(a * 0.1)", "paddle.tanh(d)"),
            ]
        )
        self.new(
            f"S.nn.static_pylayer(lambda a: {forward}, [{a.name}], lambda d: {backward.format(a=a.name)})",
            a.shape,
        )

    def _host(self) -> None:
        a = self.value(fits=len)
        back = self.pick(["lambda a, y, d: np.array(d) * np.array(y)", "None"])
        self.new(f"S.py_func(lambda a: np.tanh(np.array(a)), {a.name}, declared({a.name}), {back})", a.shape)


def program(seed: int) -> list[str]:
    """Draw a program: its lines."""
    draw = Generator(seed)
    draw.inputs()
    for _ in range(draw.random.randint(4, 14)):
        draw.step()
    if seed % 5 == 0:  # what Paddle refused may have left an operator behind, so nothing is differentiated
        for _ in range(4):
            draw.wrong()
        return draw.lines
    floats = [repr(one.name) for one in draw.pool if one.kind == "f"]
    target, wanted = f"known({', '.join(floats)})[-1]", f"known({', '.join(floats)})[:-1]"
    if seed % 7 == 5:
        draw.lines.append(f"found = paddle.optimizer.SGD(0.1).minimize(paddle.mean({target}))[1]")
    elif draw.random.randint(2):
        draw.lines.append(f"found = S.append_backward(paddle.mean({target}))")
    else:
        block = draw.pick(["", f", no_grad_set=known({floats[-2]})", "", ""])
        text = draw.pick(["{t}", "paddle.sum({t} * {t})"]).format(t=target)
        draw.lines.append(f"found = S.gradients({text}, {wanted}{block})")
        if seed % 7 == 3:
            draw.lines.append(
                f"again = S.gradients([paddle.sum(g * g) for g in found if g is not None], {wanted})"
            )
    return draw.lines
