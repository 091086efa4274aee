"""Numberless: what Python asks of a Variable that needs numbers: refused, put off to the run, or answered by a size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minipaddle.engine.errors import locate
from minipaddle.engine.extension_point import Point
from minipaddle.paddle.static.program.arithmetic import Arithmetic
from minipaddle.paddle.static.program.sizes import Dim, symbolic_shape

write_at = Point("writing into a Variable: x[i] = v")
in_place = Point("methods of a Variable that write into it")
call_later = Point("a call that needs numbers of Variables: (error, function, args, keywords)")


class Numberless(Arithmetic):
    """The base of Variables: methods of a Tensor that would read or write its numbers."""

    def __bool__(self) -> bool:
        raise _asking(
            locate(
                TypeError(
                    f"The truth of the Variable {self.name!r} is known only when the Program runs: Python cannot "
                    "branch on it. Choose with paddle.static.nn.cond, repeat with paddle.static.nn.while_loop."
                ),
                "bool",
            )
        )

    def _no_number(self, *unused: Any) -> Any:
        raise _asking(
            TypeError(
                f"The Variable {self.name!r} has no numbers before the Program runs. "
                "Fetch it: exe.run(program, feed={...}, fetch_list=[variable])."
            )
        )

    def as_size(self) -> Dim:
        """Return its one element as a size for a shape."""
        return Dim(self, 0, of_value=True)

    def as_shape(self) -> tuple[int, ...]:
        """Return its shape for use in gradient rules."""
        return symbolic_shape(self)

    def as_sizes(self) -> tuple[Dim, ...]:
        """Return its elements as the sizes of a shape."""
        return tuple([Dim(self, index, of_value=True) for index in range(self.shape[0])])

    __float__ = __int__ = __index__ = __complex__ = __len__ = __contains__ = __array__ = _no_number

    def __iter__(self) -> Iterator[Any]:
        """Return its rows.

        Raises:
            TypeError: if there is no axis, or the number of rows is not known yet.
        """
        if not self.shape or self.shape[0] < 0:
            raise TypeError(
                f"The Variable {self.name!r} of shape {self.shape} cannot be iterated: its rows are not known before "
                "the Program runs. Repeat with paddle.static.nn.while_loop."
            )
        return (self[row] for row in range(self.shape[0]))

    def __setitem__(self, index: Any, value: Any) -> None:
        if write_at(self, index, value):
            return
        raise RuntimeError(
            "In static mode, the __setitem__ (looks like: x[indices] = values) should not be used. Please use "
            f"x = paddle.static.setitem(x, indices, values), with the Variable {self.name!r} as x."
        )

    def __getattr__(self, name: str) -> Any:
        found = in_place(self, name) if name.endswith("_") and not name.startswith("__") else None
        if found is None:
            return super().__getattribute__(name)  # raises that there is none, or why
        return found

    def _dynamic_only(self, *unused: Any, **options: Any) -> Any:
        raise _asking(
            AssertionError(
                f"The Variable {self.name!r} of a Program has no such method: it works in dynamic mode only. "
                "Fetch values with exe.run(...), get gradients with paddle.static.gradients(...)."
            )
        )

    numpy = item = tolist = backward = gradient = clear_gradient = _dynamic_only


def _asking(error: Exception) -> Exception:
    """Return `error`, marked so that the guard of a public function can defer the call to the Program's run."""
    vars(error)["later"] = call_later
    return error
