"""Grad modes: whether eager calls are recorded, and what happens to the values that the tape keeps."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator
from typing import Any

from minipaddle.engine.errors import failure
from minipaddle.engine.mode.eager import current, run_inside, within
from minipaddle.engine.mode.mode import Arrays, Mode
from minipaddle.engine.tape.node import Edge, Node, Side, UserCode
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array


class _Switch(within):
    """Recording on or off for a ``with`` block or a decorated function."""

    flag: bool

    def __init__(self) -> None:
        super().__init__()

    def enter(self) -> Mode:
        """Return the mode of now, switched."""
        return current.get().with_grad(self.flag)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorate: ``@paddle.no_grad()``. A generator function is switched only while it runs."""
        kind = type(self)
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def generator(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
                inner = function(*args, **kwargs)
                answer = None
                while True:
                    with kind():
                        try:
                            item = inner.send(answer)
                        except StopIteration as stop:
                            return stop.value
                    answer = yield item

            return generator

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with kind():
                return function(*args, **kwargs)

        return wrapper


class no_grad(_Switch):
    """Record nothing: ``with paddle.no_grad():`` or ``@paddle.no_grad()``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/no_grad_en.html)
    """

    flag = False


class enable_grad(_Switch):
    """Record, even within ``no_grad``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/enable_grad_en.html)
    """

    flag = True


class set_grad_enabled:
    """Switch recording from here on; as a ``with`` block, until its end.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/set_grad_enabled_en.html)
    """

    def __init__(self, mode: bool) -> None:
        self._before = current.get().grad
        current.set(current.get().with_grad(bool(mode)))

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc_info: object) -> None:
        current.set(current.get().with_grad(self._before))


def is_grad_enabled() -> bool:
    """Return whether calls are recorded now: False while a Program is built, as in Paddle 2.6.2."""
    mode = current.get()
    return mode.dynamic and mode.grad


class _Packed:
    """Saved values, each handed to the user's `pack`; opening hands them to `unpack`."""

    def __init__(self, node: Node, saved: tuple[Any, ...], hooks: saved_tensors_hooks) -> None:
        def pack(array: Array, edge: Edge | None, side: Side, place: int) -> Any:
            tensor = Tensor(array)
            for one in current.get().tell:
                one.kept(node, side, place, tensor)
            return hooks.pack(tensor)

        self._saved = node.plan.connect(node, saved, pack)

    def open(self, node: Node) -> tuple[Any, ...]:
        """Return the values as `unpack` gives them back."""
        return tuple([_opened(value) for value in self._saved])


class Pack:
    """One packed tensor."""

    def __init__(self, content: Any, unpack: Callable[[Any], Any]) -> None:
        self.content = content
        self.unpack = unpack

    def open(self) -> Tensor | None:
        """Return what `unpack` makes of it.

        Raises:
            ValueError: **Tensor**, if that is something else.
        """
        mode = current.get()
        inside = mode.inner if isinstance(mode, Arrays) else mode  # the user's code works on Tensors
        tensor = run_inside(inside, self.unpack, self.content)
        if tensor is None or isinstance(tensor, Tensor):
            return tensor
        raise _not_a_tensor(type(tensor).__name__)


def _opened(value: Any) -> Any:
    """Return a saved value with the arrays that were packed in their places."""
    if type(value) in (list, tuple):
        return type(value)([_opened(item) for item in value])
    if not isinstance(value, Pack):
        return value
    tensor = value.open()
    if tensor is None:
        raise _not_a_tensor("None")
    return tensor.array


def _not_a_tensor(found: str) -> ValueError:
    return failure(
        ValueError, f"The unpack hook of saved_tensors_hooks must return Tensor, but returned {found}."
    )


class saved_tensors_hooks(within):
    """Decide how tensors are saved for backward: ``with saved_tensors_hooks(pack, unpack):``.

    Within the block, ``pack(tensor)`` is called for every tensor that the tape keeps, and what it returned is given to
    ``unpack`` when backward needs the tensor
    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/autograd/saved_tensors_hooks_en.html).

    Raises:
        ValueError: **only one pair of hooks**, if blocks are nested.
    """

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        super().__init__()
        self.pack_hook = pack_hook
        self.unpack = unpack_hook

    def pack(self, tensor: Tensor | None) -> Any:
        """Pack one tensor."""
        return Pack(self.pack_hook(tensor), self.unpack)

    def pack_saved(self, record: Node, saved: tuple[Any, ...]) -> Any:
        """Pack what a record keeps."""
        return _Packed(record, saved, self)

    def enter(self) -> Mode:
        """Return the mode of now, with these hooks.

        Raises:
            ValueError: **only one pair of hooks**.
        """
        mode = current.get()
        if mode.saving is not None:
            raise failure(
                ValueError, "paddle.autograd.saved_tensors_hooks allows only one pair of hooks at a time."
            )
        UserCode.present = True
        return mode.with_saving(self)
