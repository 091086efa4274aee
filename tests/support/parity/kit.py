"""What case modules share: deterministic inputs, gradients of a call, refusals, and the list of cases."""

import ast
import linecache
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import paddle

ATTRIBUTE = 1e-6  # tolerance where Paddle keeps an attribute (momentum, 1 / pool size) in float32
RELEASES = {"eager": "3.3.1", "static": "2.6.2"}  # who judges each mode


def mode_of(family: str) -> str:
    """Case modules called `static_*` build programs; all others run in dynamic mode."""
    return "static" if family.startswith("static_") else "eager"


class Same:
    """Says of a case that minipaddle does what Paddle does."""


@dataclass(frozen=True)
class Case:
    """One recorded experiment. `tolerance` replaces the usual relative one of `compare.py`.

    `ours` is what minipaddle answers where it differs from Paddle on purpose; the record keeps Paddle's answer.
    """

    run: Callable[[], Any]
    tolerance: float | None = None
    ours: Any = Same


class Family(dict[str, Case]):
    """The cases of one module, by name: stories of its page, and rows of tables.

    Each case of a `static_*` module starts in static mode with empty programs, a new scope and new counters.
    """

    def __init__(self, name: str):
        super().__init__()
        self.name = name
        self.setting = fresh_graph if mode_of(name) == "static" else nullcontext

    @property
    def page(self) -> str:
        """The page with the stories and the tables of the family; "" where there is none."""
        page = Path(__file__).parent / "cases" / f"{self.name}.md"
        return page.read_text(encoding="utf-8") if page.exists() else ""

    def listed(self, title: str) -> list[str]:
        """The lines below a heading of the page."""
        (found,) = re.findall(_LINES.format(re.escape(title)), self.page, re.MULTILINE | re.DOTALL)
        return re.sub(r"\n +", " ", found).splitlines()

    def table(self, title: str, names: dict[str, Any]) -> dict[str, Any]:
        """The rows below a heading of the page: each a name, and an expression of `names` and the names here."""
        rows, space = (line.partition(": ") for line in self.listed(title)), globals() | names
        return {name: eval(source, space) for name, _, source in rows}

    def with_stories(self, names: Mapping[str, Any]) -> "Family":
        """Add the stories of the page: headings, and scripts whose last line is the answer; they know `names`."""
        names, text = dict(names), self.page
        for source in _ABOVE.findall(text):
            exec(source, names)
        for title, ours, source in _STORY.findall(text):
            answer = eval(ours, names) if ours else Same
            self.tell(title.replace(" ", "_"), source, f"{self.name}.md, {title}", names, answer)
        return self

    def tell(self, name: str, source: str, where: str, names: Mapping[str, Any], ours: Any) -> None:
        """Keep a story as a case."""
        self.add(name, answer_of, source, where, names, ours=ours)

    def add(
        self, name: str, run: Callable[..., Any], *args: Any, tolerance: float | None = None, ours: Any = Same
    ) -> None:
        """Keep `run(*args)` as the case `family/name`."""
        if name in self:
            raise KeyError(f"two cases are called {self.name}/{name}")

        def in_setting() -> Any:
            with self.setting():
                return run(*args)

        self[name] = Case(in_setting, tolerance, ours)

    def gradients(
        self,
        name: str,
        fn: Callable[..., Any],
        *arrays: Any,
        single: bool = False,
        tolerance: float | None = None,
    ) -> None:
        """Add value and gradients of `fn(*arrays)`; with `single` once more in float32."""
        self.add(name, differentiate, fn, *arrays, tolerance=tolerance)
        if single:
            self.add(f"{name} float32", differentiate, fn, *map(to_single, arrays))


_ABOVE = re.compile(r"\A# [^\n]*\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""What all stories of a page need."""
_OURS = r"(?:Paddle is wrong: minipaddle answers `([^\n]*)`\.\n)?"
_STORY = re.compile(
    rf"^## ([^\n]*)\n\n{_OURS}(?:(?!```|## )[^\n]*\n)*```python\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
"""A heading, what minipaddle answers if that is not what Paddle does, and a script."""
_LINES = r"^## {}\n(?:(?!```|## )[^\n]*\n)*```text\n(.*?)^```$"
"""A heading, and lines; one goes on where the next is indented."""


def answer_of(source: str, where: str, names: Mapping[str, Any]) -> Any:
    """Run a script with the names of a module; return what its last line gives."""
    linecache.cache[where] = (
        len(source),
        None,
        source.splitlines(keepends=True),
        where,
    )  # for errors, and inspect
    *before, last = ast.parse(source, where).body
    assert isinstance(last, ast.Expr), f"the last line of {where} is no answer"
    space = {**names, "__name__": where}
    exec(compile(ast.Module(before, []), where, "exec"), space)
    return eval(compile(ast.Expression(last.value), where, "eval"), space)


@dataclass(frozen=True)
class Refusal:
    """A call that raised (`kind` is the exception's name) or, with `kind` None, that did not."""

    kind: str | None
    words: tuple[str, ...]
    message: str


def raises(call: Callable[[], Any], *words: str) -> Refusal:
    """Run `call`; its exception's type has to be the recorded one and its text to contain all `words`."""
    try:
        call()
    except Exception as error:
        return Refusal(type(error).__name__, words, str(error))
    return Refusal(None, words, "")


def refusal(kind: str, *words: str) -> Refusal:
    """What `raises(call, *words)` returns for an exception of that name; for `ours` of a case."""
    return Refusal(kind, words, "")


@contextmanager
def fresh_graph() -> Iterator[None]:
    """Static mode with empty default programs, an empty scope and counters at zero."""
    paddle.enable_static()
    static = paddle.static
    try:
        with (
            static.scope_guard(static.Scope()),
            static.program_guard(static.Program(), static.Program()),
            paddle.utils.unique_name.guard(),
        ):
            yield
    finally:
        paddle.disable_static()


def data(*shape: int, seed: int = 1, low: float = -1.5, high: float = 1.5) -> np.ndarray:
    """float64 numbers between `low` and `high`, the same in every run and every NumPy."""
    return np.array(np.random.RandomState(seed).uniform(low, high, shape))


def to_single(array: Any) -> Any:
    """The same array in float32; integers and bools stay."""
    return array.astype("float32") if array.dtype == np.float64 else array


def leaf(array: Any, dtype: str | None = None) -> Any:
    """A trainable tensor holding `array`."""
    return paddle.to_tensor(array, dtype=dtype, stop_gradient=False)


def frozen(array: Any, dtype: str | None = None) -> Any:
    """A tensor that requires no gradient."""
    return paddle.to_tensor(array, dtype=dtype)


def api(name: str, **options: Any) -> Callable[..., Any]:
    """`paddle.<name>(*inputs, **options)`, looked up when it is called."""
    return lambda *inputs: getattr(paddle, name)(*inputs, **options)


def functional(name: str, **options: Any) -> Callable[..., Any]:
    """`paddle.nn.functional.<name>(*inputs, **options)`, looked up when it is called."""
    return lambda *inputs: getattr(paddle.nn.functional, name)(*inputs, **options)


def weights_like(out: Any) -> Any:
    """A seed that is different at every place, so that a permuted gradient is noticed."""
    size = int(np.prod(out.shape))
    return paddle.to_tensor(np.linspace(0.5, 1.5, size).reshape(out.shape).astype(dtype_name(out)))


def dtype_name(tensor: Any) -> str:
    """'float32' for a float32 tensor."""
    return str(tensor.dtype).rpartition(".")[2]


def as_list(value: Any) -> list[Any]:
    """The items of a list or tuple; anything else as a list of one."""
    return list(value) if isinstance(value, (list, tuple)) else [value]


def derive(fn: Callable[..., Any], *arrays: np.ndarray, **options: Any) -> dict[str, Any]:
    """Do what :func:`differentiate` does, also for complex numbers, and with options of `fn`."""
    inputs = [leaf(array) if array.dtype.kind in "fc" else frozen(array) for array in arrays]
    outs = fn(*inputs, **options)
    roots = [out for out in as_list(outs) if not out.stop_gradient]
    paddle.autograd.backward(roots, [weights_like(root) for root in roots])
    return {"out": outs, "grad": [x.grad for x in inputs]}


def differentiate(fn: Callable[..., Any], *arrays: Any) -> dict[str, Any]:
    """Outputs of `fn` on leaves made of the float `arrays` (others frozen), gradients under uneven seeds."""
    inputs = [leaf(a) if a.dtype.kind == "f" else frozen(a) for a in arrays]
    outs = fn(*inputs)
    roots = [out for out in as_list(outs) if not out.stop_gradient and dtype_name(out).startswith("float")]
    if roots:
        paddle.autograd.backward(roots, [weights_like(root) for root in roots])
    return {"out": outs, "grad": [x.grad for x in inputs]}


def py_layer(
    forward: Callable[..., Any], backward: Callable[..., Any] | None = None, name: str = "Custom"
) -> Any:
    """A PyLayer class of two functions."""
    members = {"forward": staticmethod(forward)} | ({"backward": staticmethod(backward)} if backward else {})
    return type(name, (paddle.autograd.PyLayer,), members)


def tanh_layer(once: Callable[..., Any] = lambda backward: backward) -> Any:
    """The PyLayer of Paddle's documentation; `once` may wrap its backward."""

    def forward(ctx: Any, x: Any) -> Any:
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        return y

    def backward(ctx: Any, dy: Any) -> Any:
        (y,) = ctx.saved_tensor()
        return dy * (1 - paddle.square(y))

    return py_layer(forward, once(backward), "Tanh")


def fill(layer: Any) -> Any:
    """Give every trainable parameter known numbers, whatever its initializer did."""
    for i, parameter in enumerate(trainable(layer)):
        parameter.set_value(data(*parameter.shape, seed=10 + i).astype("float32"))
    return layer


def trainable(layer: Any) -> list[Any]:
    """The trainable parameters: Paddle counts running averages among the parameters."""
    return [parameter for parameter in layer.parameters() if not parameter.stop_gradient]
