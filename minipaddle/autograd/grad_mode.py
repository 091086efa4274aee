"""Grad modes: whether eager calls are recorded, and what happens to the values that the tape keeps."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator
from typing import Any

from minipaddle.autograd.tensor import Tensor
from minipaddle.core.eager import current, within
from minipaddle.core.errors import failure
from minipaddle.core.meta import Array
from minipaddle.core.mode import Arrays
from minipaddle.core.node import Edge, Node, Side, UserCode


class _Switch:
    """Recording on or off for a ``with`` block or a decorated function."""

    flag: bool

    def __init__(self) -> None:
        self._entered: list[within] = []

    def __enter__(self) -> None:
        block = within(current.get().with_grad(self.flag))
        block.__enter__()
        self._entered.append(block)

    def __exit__(self, *exc_info: object) -> None:
        self._entered.pop().__exit__(*exc_info)

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
    """Return whether calls are recorded now."""
    return current.get().grad


class _Packed:
    """Kept values, each handed to the user's `pack`; opening hands them to `unpack`."""

    def __init__(self, record: Node, saved: tuple[Any, ...], hooks: saved_tensors_hooks) -> None:
        tell = current.get().tell

        def pack(array: Array, edge: Edge | None, side: Side, place: int) -> Any:
            tensor = Tensor(array)
            if tell is not None:
                tell.kept(record, side, place, tensor)
            return hooks.pack(tensor)

        self._saved = record.plan.connect(record, saved, pack)

    def open(self, record: Node) -> tuple[Any, ...]:
        """Return the values as `unpack` gives them back."""
        return tuple([_opened(value) for value in self._saved])


class _Pack:
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
        with within(mode.inner if isinstance(mode, Arrays) else mode):  # the user's code works on Tensors
            tensor = self.unpack(self.content)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise failure(
                ValueError,
                f"The unpack hook of saved_tensors_hooks must return Tensor, but returned {type(tensor).__name__}.",
            )
        return tensor


def _opened(value: Any) -> Any:
    """Return a saved value with the arrays that were packed in their places."""
    if type(value) in (list, tuple):
        return type(value)([_opened(item) for item in value])
    if not isinstance(value, _Pack):
        return value
    tensor = value.open()
    if tensor is None:
        raise failure(
            ValueError, "The unpack hook of saved_tensors_hooks must return Tensor, but returned None."
        )
    return tensor.array


class saved_tensors_hooks:
    """Decide how tensors are saved for backward: ``with saved_tensors_hooks(pack, unpack):``.

    Within the block, ``pack(tensor)`` is called for every tensor that the tape keeps, and what it returned is given to
    ``unpack`` when backward needs the tensor
    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/autograd/saved_tensors_hooks_en.html).

    Raises:
        ValueError: **only one pair of hooks**, if blocks are nested.
    """

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook = pack_hook
        self.unpack = unpack_hook

    def pack(self, tensor: Tensor | None) -> Any:
        """Pack one tensor."""
        return _Pack(self.pack_hook(tensor), self.unpack)

    def pack_saved(self, record: Node, saved: tuple[Any, ...]) -> Any:
        """Pack what a record keeps."""
        return _Packed(record, saved, self)

    def __enter__(self) -> None:
        mode = current.get()
        if mode.saving is not None:
            raise failure(
                ValueError, "paddle.autograd.saved_tensors_hooks allows only one pair of hooks at a time."
            )
        UserCode.present = True
        self._block = within(mode.with_saving(self))
        self._block.__enter__()

    def __exit__(self, *exc_info: object) -> None:
        self._block.__exit__(*exc_info)
