"""Additions to a kernel: its shape rule, the dtypes that it accepts, separate memory for a view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from minipaddle.engine.errors import failure
from minipaddle.engine.mode.eager import Eager
from minipaddle.engine.tape.memory import ensure_writable
from minipaddle.engine.value.meta import Attrs, Meta

if TYPE_CHECKING:
    from minipaddle.engine.operator.operator import Operator


def same_as_first(x: Meta, *others: Any, **attrs: Any) -> Meta:
    """Shape rule: the output looks like the first input."""
    return x


def infer_metas(op: Operator, metas: Sequence[Meta | None], attrs: Attrs) -> Any:
    """Return the Meta (or Metas) of the output for flat input Metas; -1 dims pass through.

    Raises:
        RuntimeError: **is not registered**, if the kernel is not defined for the first input's dtype.
    """
    first = metas[0] if metas else None
    if first is not None and first.dtype.kind not in op.kinds:
        raise failure(
            RuntimeError,
            f"The kernel with key (CPU, {first.dtype}) of kernel `{op.type}` is not registered.",
            "x.abs(), x.real() and x.imag() are real numbers"
            if first.dtype.kind == "c"
            else "convert it first: x.astype('float32')",
        )
    if op.list_slot is None:
        return op.infer(*metas, **attrs)
    fixed = len(op.input_names) - 1
    return op.infer(*metas[:fixed], list(metas[fixed:]), **attrs)


def own_first(op: Operator, x: Any, *others: Any) -> tuple[Any, ...]:
    """Return the inputs; `x` gets memory of its own, so that a write to the view reaches no other tensor."""
    if isinstance(x, Eager.tensor):
        ensure_writable(x)
    return (x, *others)


def only_kinds(kinds: str, run: Callable[..., Any]) -> Callable[..., Any]:
    """Return `run`, refusing a first input of another kind: NumPy would order complex numbers, and invert integers."""

    def run_on_kinds(*arrays: Any, **attrs: Any) -> Any:
        if arrays[0].dtype.kind not in kinds:
            raise TypeError  # worded by `infer_metas`
        return run(*arrays, **attrs)

    return run_on_kinds
