"""Random Programs: :func:`program` draws one as lines of Python, :func:`answer` builds and runs it, on either Paddle.

A program is drawn without being run: the generator knows the shapes and types that its expressions have, and so it
draws mostly sense. A line that raises is answered with the type of its error, and its names stay unknown.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import paddle

Shape = tuple[int, ...]
ROWS = 2  # what is fed for -1


def _lines(text: str) -> list[str]:
    """The lines of a table."""
    return [line.strip() for line in text.strip().splitlines()]


class Drawn(NamedTuple):
    """What the generator knows of a value."""

    name: str
    shape: Shape
    kind: str  # "f", "i" or "b"


SAME = _lines("""
    paddle.tanh({a})
    paddle.exp({a} * 0.1)
    paddle.square({a})
    F.relu({a})
    F.sigmoid({a})
    paddle.abs({a})
    paddle.sin({a})
    paddle.cos({a})
    F.softplus({a})
    F.gelu({a})
    F.leaky_relu({a}, 0.1)
    F.elu({a})
    F.silu({a})
    paddle.sqrt(paddle.abs({a}) + 1.0)
    paddle.log(paddle.square({a}) + 0.5)
    paddle.rsqrt(paddle.square({a}) + 0.5)
    paddle.clip({a}, -0.7, 0.7)
    {a} * 2 - 1
    -{a}
    1.5 / ({a} * {a} + 1)
    {a} ** 2
    paddle.scale({a}, 0.5, 1.0)
    paddle.floor({a})
    paddle.round({a})
    paddle.sign({a})
    paddle.assign({a})
    {a}.detach()
    paddle.erf({a})
    F.softmax({a}.reshape([-1]), axis=0).reshape({a}.shape)
    F.hardswish({a})
    F.relu6({a})
    F.hardsigmoid({a})
    F.log_sigmoid({a})
    F.softsign({a})
    F.mish({a})
    paddle.reciprocal({a} * {a} + 1.0)
    paddle.pow({a}, 3.0)
    {a}.clone()
    paddle.increment(paddle.sum({a})) + {a}
    paddle.zeros_like({a}) + {a}
    paddle.full_like({a}, 2.0) * {a}
    paddle.maximum({a}, {a} * 0.5)
    F.dropout({a}, 0.0)
    paddle.expm1({a} * 0.1)
    paddle.log1p(paddle.abs({a}))
    paddle.stanh({a})
    paddle.atan({a})
    paddle.sinh({a} * 0.3)
    F.celu({a})
    F.selu({a})
    F.tanhshrink({a})
    F.hardtanh({a})
""")
BINARY = _lines("""
    {a} + {b}
    {a} - {b}
    {a} * {b}
    {a} / ({b} * {b} + 1.0)
    paddle.maximum({a}, {b})
    paddle.minimum({a}, {b})
    paddle.add({a}, {b})
    paddle.multiply({a}, {b})
    paddle.where({a} > {b}, {a}, {b})
    paddle.where({a} > 0.1, {a} * 1.0, {b} * 1.0)
    paddle.subtract({a}, {b})
    paddle.pow(paddle.abs({a}) + 0.5, {b})
    paddle.fmax({a}, {b})
    paddle.lerp({a}, {b}, 0.3)
    F.square_error_cost({a}, {b})
    paddle.add_n([{a} + {b}, {b} + {a}])
    ({a} + {b}).astype('float64').astype('float32')
""")
REDUCED = _lines("""
    paddle.sum({a}{axis})
    paddle.mean({a}{axis})
    paddle.max({a}{axis})
    paddle.min({a}{axis})
    paddle.prod({a}{axis})
    paddle.logsumexp({a}{axis})
    {a}.sum({args})
    {a}.mean({args})
""")
COMPARED = _lines("""
    {a} > {b}
    {a} <= {b}
    paddle.less_than({a}, {b})
    {a} == {b}
    paddle.not_equal({a}, {b})
    paddle.isnan({a} + {b})
    paddle.logical_and({a} > 0, {b} > 0)
    paddle.isfinite({a} * {b})
""")
WHOLE = _lines("""
    {a}.astype('int64')
    paddle.cast({a} * 3, 'int64')
    paddle.cast({a} * 2, 'int32').astype('int64')
    paddle.shape({a}).astype('int64').sum() + {a}.astype('int64')
""")
OF_INTS = _lines("""
    {a} + 1
    {a} * 2 - {a}
    {a} // 2
    {a} % 3
    paddle.abs({a})
    paddle.maximum({a}, {a} * -1)
    {a} - 3
""")
LAST = _lines("""
    F.softmax({a}, axis=-1)
    F.log_softmax({a}, axis=-1)
    paddle.cumsum({a}, axis=-1)
    paddle.flip({a}, axis=[-1])
    paddle.roll({a}, 1, axis=-1)
    F.layer_norm({a}, {a}.shape[-1:])
    paddle.sort({a}, axis=-1)
    F.normalize({a}, axis=-1)
    paddle.tile({a}, [1] * {a}.ndim)
    paddle.concat([{a}, {a}], axis=-1)[..., :{last}]
    paddle.stack([{a}, {a} * 2], axis=0)[1]
    paddle.split(paddle.concat([{a}, {a} * 3], axis=-1), 2, axis=-1)[1]
    paddle.squeeze(paddle.unsqueeze({a}, -1), -1)
    paddle.expand_as({a}[..., :1], {a})
    paddle.topk({a}, {last}, axis=-1)[0]
    paddle.reshape({a}, {a}.shape)
    paddle.flatten({a}).reshape({a}.shape)
    paddle.unbind(paddle.stack([{a}, {a} + 1], axis=0), axis=0)[1]
    paddle.gather(paddle.stack([{a}, {a} + 1], axis=0), paddle.full([1], 1, 'int64'))[0]
""")
# Not here: what 2.6.2 and 3.3.1 refuse with different errors, which docs/parity.md lists.
WRONG = _lines("""
    {a} + paddle.zeros([7, 5])
    paddle.reshape({a}, [17])
    paddle.add({a}, 3)
    paddle.tanh('x')
    paddle.tanh(3.0)
    paddle.sum({a}, axis=9)
    paddle.transpose({a}, [0, 0, 0, 0])
    paddle.cast({a}, 'float99')
    paddle.unsqueeze({a}, 9)
    paddle.stack([{a}, paddle.zeros([5, 5, 5])])
    F.softmax({a}, axis=7)
    paddle.squeeze({a}, 11)
    {a} @ 'x'
    {a} + 'x'
    {a} + None
    paddle.where({a}, {a}, {a})
    S.nn.cond({a}, lambda: {a}, lambda: {a})
    F.relu(None)
    S.gradients({a}, 'x')
    S.append_backward(3)
    S.data(3, [2])
    S.data('bad', 3)
    S.nn.while_loop(3, 4, [{a}])
    S.py_func(3, {a}, {a})
    paddle.expand({a}, [2])
    float({a})
    len({a})
    {a}.numpy()
""")

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
        self.new(self.pick(SAME).format(a=a.name), a.shape)

    def _binary(self) -> None:
        a, b = self.value(), self.value()
        try:
            shape = np.broadcast_shapes(a.shape, b.shape)
        except ValueError:
            return
        self.new(self.pick(BINARY).format(a=a.name, b=b.name), shape)

    def _reduce(self) -> None:
        a = self.value()
        if not a.shape or not self.random.randint(4):
            self.new(self.pick(REDUCED).format(a=a.name, axis="", args=""), ())
            return
        axis, keep = self.random.randint(len(a.shape)), bool(self.random.randint(2))
        shown = axis if self.random.randint(2) else axis - len(a.shape)
        shape = tuple(
            1 if place == axis else size for place, size in enumerate(a.shape) if keep or place != axis
        )
        args = f"axis={shown}" + (", keepdim=True" if keep else "")
        self.new(self.pick(REDUCED).format(a=a.name, axis=", " + args, args=args), shape)

    def _last(self) -> None:
        a = self.value(fits=len)
        if a is not None:
            self.new(self.pick(LAST).format(a=a.name, last=a.shape[-1]), a.shape)

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
                self.pick(COMPARED).format(a=a.name, b=b.name), np.broadcast_shapes(a.shape, b.shape), "b"
            )
        except ValueError:
            return

    def _whole(self) -> None:
        a = self.value()
        self.new(self.pick(WHOLE).format(a=a.name), a.shape, "i")

    def _ints(self) -> None:
        a = self.value("i")
        if a is not None:
            self.new(self.pick(OF_INTS).format(a=a.name), a.shape, "i")

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
        self.lines.append(f"bad{len(self.lines)} = {self.pick(WRONG).format(a=a.name)}")

    def _cond(self) -> None:
        a = self.value()
        test = self.pick(
            ["paddle.mean({a}) > 0.0", "paddle.sum({a}) < 100.0", "paddle.full([1], 1) < paddle.full([1], 0)"]
        ).format(a=a.name)
        one, other = (self.pick(SAME).format(a=a.name) for _ in range(2))
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
    floats = [one for one in draw.pool if one.kind == "f" and one.name.startswith("v")] or draw.pool[:1]
    target = floats[-1].name
    if draw.random.randint(2):
        draw.lines.append(f"found = S.append_backward(paddle.mean({target}))")
    else:
        wanted = ", ".join(one.name for one in draw.pool if one.kind == "f")
        block = draw.pick(["", f", no_grad_set=[{floats[0].name}]", "", ""])
        draw.lines.append(
            f"found = S.gradients({draw.pick(['{t}', 'paddle.sum({t} * {t})']).format(t=target)}, [{wanted}]{block})"
        )
    return draw.lines


def answer(lines: list[str]) -> dict[str, Any]:
    """Build and run a program; return what can be compared."""
    S = paddle.static
    paddle.enable_static()
    errors: dict[str, str] = {}
    with (
        S.scope_guard(S.Scope()),
        S.program_guard(S.Program(), S.Program()),
        paddle.utils.unique_name.guard(),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        space, feed = _space()
        for number, line in enumerate(lines):
            try:
                exec(line, space)
            except NameError:
                errors[str(number)] = "unknown"
            except Exception as error:
                errors[str(number)] = type(error).__name__
        main = S.default_main_program()
        variables = {
            name: one for name, one in space.items() if name[0] in "vxw" and isinstance(one, S.Variable)
        }
        grads = _gradients(space.get("found"))
        told = {
            name: [one.name, list(one.shape), str(one.dtype).rpartition(".")[2], bool(one.stop_gradient)]
            for name, one in variables.items()
        }
        fetches = {name: one.name for name, one in variables.items()} | {
            f"grad {name}": one for name, one in grads.items() if one
        }
        exe = S.Executor()
        values: Any
        try:
            exe.run(S.default_startup_program())
            values = dict(
                zip(fetches, exe.run(main, feed=feed, fetch_list=list(fetches.values())), strict=True)
            )
        except Exception as error:
            values = type(error).__name__
        types = [[op.type for op in block.ops] for block in main.blocks]
    paddle.disable_static()
    return {"errors": errors, "variables": told, "gradients": grads, "values": values, "types": types}


def _gradients(found: Any) -> dict[str, str | None]:
    """Names of gradients by the place, or the parameter, that they are for."""
    pairs = [(str(place), one) for place, one in enumerate(found or [])]
    return {
        (one[0].name if isinstance(one, tuple) else place): None
        if one is None
        else (one[1] if isinstance(one, tuple) else one).name
        for place, one in pairs
    }


def _space() -> tuple[dict[str, Any], dict[str, Any]]:
    """The names that programs use, and what is fed."""
    S, feed = paddle.static, {}
    random = np.random.RandomState(7)

    def data(name: str, declared: list[int], shape: list[int], dtype: str) -> Any:
        made = S.data(name, declared, dtype)
        made.stop_gradient = False
        feed[name] = np.array(random.uniform(-1.5, 1.5, shape), dtype)
        return made

    def weight(name: str, shape: list[int], dtype: str) -> Any:
        return S.create_parameter(
            shape, dtype, name=name, default_initializer=paddle.nn.initializer.Constant(0.5)
        )

    def label() -> Any:
        return paddle.assign(np.array([[1], [2]]))

    def declared(like: Any) -> Any:
        return S.default_main_program().current_block().create_var(shape=list(like.shape), dtype=like.dtype)

    def attr(value: float) -> Any:
        return paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(value))

    helpers = {"data": data, "weight": weight, "label": label, "declared": declared, "attr": attr}
    return {"paddle": paddle, "S": S, "F": paddle.nn.functional, "np": np, **helpers}, feed
