"""Unique names: ``fc_0``, ``fc_1``, ``generated_tensor_0`` ..."""

from __future__ import annotations

from collections import Counter

__all__ = ["unique_name"]

_counts: Counter[str] = Counter()


def unique_name(kind: str) -> str:
    """Return ``KIND_N`` with the next N of this kind."""
    number = _counts[kind]
    _counts[kind] += 1
    return f"{kind}_{number}"
