"""Fixtures for the tests of the engine."""

from collections.abc import Callable
from typing import Any

import pytest

from minipaddle import paddle


@pytest.fixture
def leaf() -> Callable[..., Any]:
    """`leaf([1.0])`: a tensor that requires gradient."""

    def make(value: Any, dtype: str | None = None) -> Any:
        return paddle.to_tensor(value, dtype=dtype, stop_gradient=False)

    return make


@pytest.fixture
def layer() -> Callable[..., Any]:
    """`layer(forward, backward)`: a PyLayer class of two functions."""

    def make(forward: Callable[..., Any], backward: Callable[..., Any], name: str = "Custom") -> Any:
        members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
        return type(name, (paddle.autograd.PyLayer,), members)

    return make
