"""Gradients against differences of numbers, whatever computes the number."""

from collections.abc import Callable, Iterator

import numpy as np

STEP = 1e-6
ONE_BY_ONE = 6
DIRECTIONS = 4


def slopes(function: Callable[[], float], array: np.ndarray) -> np.ndarray:
    """Central differences of the number `function()` for every element of `array`, which is restored."""
    found = np.zeros(array.shape, array.dtype)
    for place in np.ndindex(array.shape):
        for unit in (1, 1j) if array.dtype.kind == "c" else (1,):
            move = np.zeros_like(array)
            move[place] = unit
            found[place] += unit * slope_along(function, array, move)
    return found


def slope_along(function: Callable[[], float], array: np.ndarray, move: np.ndarray) -> float:
    """The central difference of the number `function()` along one move of `array`, which is restored."""
    before = array.copy()
    array += STEP * move
    above = function()
    array[...] = before
    array -= STEP * move
    below = function()
    array[...] = before
    return (above - below) / (2 * STEP)


def assert_slope(
    gradient: np.ndarray, function: Callable[[], float], array: np.ndarray, rtol: float, atol: float
) -> None:
    """Assert that `gradient` is that of the number `function()` for `array`.

    A large array moves along a few drawn directions, all elements in each: what is wrong at one element shows in all.
    """
    if array.size <= ONE_BY_ONE:
        np.testing.assert_allclose(gradient, slopes(function, array), rtol=rtol, atol=atol)
        return
    assert np.shape(gradient) == array.shape
    scale = float(np.abs(gradient).max())
    for move in directions(array):
        told = float(np.sum(np.conj(move) * gradient).real)
        found = slope_along(function, array, move)
        assert abs(told - found) <= atol + rtol * max(scale, abs(found)), (
            f"along {move.ravel()[:3]}...: {told}, not {found}"
        )


def directions(array: np.ndarray) -> Iterator[np.ndarray]:
    """Yield moves of an array, drawn anew for each shape: every element moves, none by more than 1."""
    rng = np.random.default_rng(array.size)
    for _ in range(DIRECTIONS):
        move = rng.uniform(0.5, 1.0, array.shape) * rng.choice([-1.0, 1.0], array.shape)
        if array.dtype.kind == "c":
            move = move * np.exp(1j * rng.uniform(0, 2 * np.pi, array.shape))
        yield np.asarray(move, array.dtype)
