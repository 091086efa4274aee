"""Unique names: ``fc_0``, ``fc_1``, ``generated_tensor_0`` ...

One set of counters serves layers, tensors and Programs; :class:`guard` starts another one for a while, so that two
networks built the same way get the same names (https://www.paddlepaddle.org.cn/documentation/docs/en/api/
paddle/utils/unique_name/guard_en.html).
"""

from __future__ import annotations

from collections import Counter


class Names:
    """A set of counters, one for each kind of name, and a prefix for all of them."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.counts: Counter[str] = Counter()


_names = Names()


def unique_name(kind: str) -> str:
    """Return ``KIND_N`` with the next N of this kind."""
    return numbered(_names.prefix + kind)


def numbered(name: str) -> str:
    """Return ``NAME_N`` with the next N for this exact name: ``fc_0.tmp`` gives ``fc_0.tmp_0``."""
    number = _names.counts[name]
    _names.counts[name] += 1
    return f"{name}_{number}"


def take_back(name: str, count: int) -> None:
    """Give the last `count` numbers of this exact name anew."""
    _names.counts[name] -= count


def switch(names: Names | None = None) -> Names:
    """Count with `names` (None: new ones) from now on; return the previous ones."""
    global _names
    before, _names = _names, Names() if names is None else names
    return before


class guard:
    """Count anew, or with the given :class:`Names`, inside a ``with`` block; a string becomes a prefix."""

    def __init__(self, new_generator: Names | str | None = None) -> None:
        self.names = Names(new_generator) if isinstance(new_generator, str) else new_generator or Names()

    def __enter__(self) -> None:
        self.before = switch(self.names)

    def __exit__(self, *exc_info: object) -> None:
        switch(self.before)
