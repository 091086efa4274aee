"""Scope: values by name, kept between runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from minipaddle.engine.mode.guard import Guard
from minipaddle.engine.value.meta import Array
from minipaddle.paddle.static.host_tensor import ScopeTensor


class ScopeVariable:
    """One entry of a Scope; ``value`` is an array that the Executor may write to, or None."""

    __slots__ = ("__weakref__", "name", "value")

    def __init__(self, name: str) -> None:
        self.name = name
        self.value: Array | None = None

    def get_tensor(self) -> ScopeTensor:
        """Return the value as an object to read and set."""
        return ScopeTensor(self)

    def checked(self) -> Array:
        """Return the value.

        Raises:
            ValueError: naming it, if it has no value yet.
        """
        if self.value is None:
            raise ValueError(f"The variable {self.name!r} holds no value yet: run the startup program first.")
        return self.value


class Scope:
    """Names and their values."""

    def __init__(self, parent: Scope | None = None) -> None:
        self._parent = parent
        self._variables: dict[str, ScopeVariable] = {}

    def var(self, name: str) -> ScopeVariable:
        """Return the variable `name` of this Scope, created if missing."""
        return self._variables.get(name) or self._variables.setdefault(name, ScopeVariable(name))

    def find_var(self, name: str) -> ScopeVariable | None:
        """Return the variable `name` of this Scope or an outer one, or None."""
        found = self._variables.get(name)
        return found if found is not None or self._parent is None else self._parent.find_var(name)

    def new_scope(self) -> Scope:
        """Return a Scope inside this one."""
        return Scope(self)

    def local_var_names(self) -> Sequence[str]:
        """Return the names of this Scope."""
        return list(self._variables)


_current = [Scope()]


def global_scope() -> Scope:
    """Return the default Scope of Executors."""
    return _current[-1]


class scope_guard(Guard):
    """Makes `scope` the global one within a ``with`` block.

    Raises:
        TypeError: if it is no Scope.
    """

    def __init__(self, scope: Scope) -> None:
        if not isinstance(scope, Scope):
            raise TypeError(
                f"The type of 'scope' in scope_guard must be Scope, but received {type(scope).__name__}."
            )
        super().__init__()
        self._scope = scope

    def way_back(self) -> Callable[[], None]:
        """Return a function that restores this global Scope."""
        return partial(_current.__delitem__, slice(len(_current), None))

    def change(self) -> None:
        """Make it the global Scope."""
        _current.append(self._scope)
