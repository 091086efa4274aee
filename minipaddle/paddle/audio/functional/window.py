"""Windows: what a piece of a signal is multiplied by, so that its ends do not sound. Functions of the place."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.engine.autograd.creation import to_tensor


def _cosines(m: int, *weights: float) -> Any:
    """Return cosines of 0, 1, 2 ... periods, weighted and added."""
    phase = np.linspace(-np.pi, np.pi, m)
    return sum((weight * np.cos(wave * phase) for wave, weight in enumerate(weights)), np.zeros(m))


def _centered(m: int) -> Any:
    """Return the places, counted from the middle."""
    return np.arange(m) - (m - 1) / 2


def _hann(m: int) -> Any:
    return _cosines(m, 0.5, 0.5)


def _hamming(m: int, alpha: float = 0.54, beta: float = 0.46) -> Any:
    return _cosines(m, alpha, beta)


def _blackman(m: int) -> Any:
    return _cosines(m, 0.42, 0.50, 0.08)


def _nuttall(m: int) -> Any:
    return _cosines(m, 0.3635819, 0.4891775, 0.1365995, 0.0106411)


def _gaussian(m: int, std: float) -> Any:
    return np.exp(-0.5 * (_centered(m) / std) ** 2)


def _general_gaussian(m: int, p: float, sig: float) -> Any:
    return np.exp(-0.5 * np.abs(_centered(m) / sig) ** (2 * p))


def _exponential(m: int, center: float | None = None, tau: float = 1.0) -> Any:
    middle = (m - 1) / 2 if center is None else center
    return np.exp(-np.abs(np.arange(m) - middle) / tau)


def _triang(m: int) -> Any:
    return 1 - np.abs(2 * _centered(m)) / (m + m % 2)


def _bohman(m: int) -> Any:
    far = np.abs(np.linspace(-1, 1, m))
    inside = (1 - far) * np.cos(np.pi * far) + np.sin(np.pi * far) / np.pi
    return np.where(far < 1, inside, 0.0)


def _cosine(m: int) -> Any:
    return np.sin(np.pi / m * (np.arange(m) + 0.5))


def _bartlett(m: int) -> Any:
    return 1 - np.abs(2 * _centered(m)) / (m - 1)


def _tukey(m: int, alpha: float = 0.5) -> Any:
    """Return ones, between two halves of a Hann window: `alpha` says how much of the window these are."""
    if alpha <= 0:
        return np.ones(m)
    slope = np.minimum(1.0, (1 - np.abs(2 * _centered(m)) / (m - 1)) / min(alpha, 1.0))
    return 0.5 * (1 - np.cos(np.pi * slope))


def _kaiser(m: int, beta: float) -> Any:
    return np.kaiser(m, beta)


def _taylor(m: int, nbar: int = 4, sll: float = 30, norm: bool = True) -> Any:
    """Return the window whose first `nbar` side lobes are `sll` dB below the main one."""
    a = math.acosh(10 ** (sll / 20)) / math.pi
    spread = nbar**2 / (a**2 + (nbar - 0.5) ** 2)
    waves = np.arange(1, nbar)

    def weight(wave: int) -> float:
        above = np.prod(1 - wave**2 / spread / (a**2 + (waves - 0.5) ** 2))
        below = 2 * np.prod([1 - wave**2 / other**2 for other in waves if other != wave])
        return float((-1) ** (wave + 1) * above / below)

    weights = [weight(int(wave)) for wave in waves]

    def height(place: Any) -> Any:
        return 1 + 2 * sum(w * np.cos(2 * np.pi * wave * place / m) for wave, w in zip(waves, weights))

    window = height(_centered(m))
    return window / height(0.0) if norm else window


_WINDOWS: dict[str, Callable[..., Any]] = {
    name[1:]: function
    for name, function in list(globals().items())
    if name.startswith("_") and inspect.isfunction(function) and name not in ("_cosines", "_centered")
}


def get_window(window: Any, win_length: int, fftbins: bool = True, dtype: str = "float64") -> Any:
    """Return a window by its name, [win_length].

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/functional/get_window_en.html)

    Args:
        window: "hann", "hamming", "blackman", "nuttall", "cosine", "triang", "bartlett", "bohman", "tukey", "taylor";
            or a tuple of a name and parameters: ("gaussian", std), ("general_gaussian", p, sig),
            ("exponential", center, tau), ("kaiser", beta), ("tukey", alpha), ("taylor", nbar, sll, norm).
        win_length: how long it is.
        fftbins: as a period of something that repeats: as long a window as if there were one more, without the last.
        dtype: that of the result.

    Raises:
        ValueError: **Unknown window type**; **needs one or more parameters**; **must be a non-negative integer**.
    """
    if not isinstance(window, str | tuple):
        raise ValueError(f"{type(window)} as window type is not supported.")
    name, *parameters = (window,) if isinstance(window, str) else window
    if name not in _WINDOWS:
        raise ValueError("Unknown window type.")
    wanted = list(inspect.signature(_WINDOWS[name]).parameters.values())[1:]
    if not parameters and (name == "exponential" or any(one.default is one.empty for one in wanted)):
        raise ValueError(f"The '{name}' window needs one or more parameters -- pass a tuple.")
    return to_tensor(_window(name, win_length, fftbins, *parameters), dtype)


def _window(name: str, length: int, periodic: bool, *parameters: Any) -> Any:
    if int(length) != length or length < 0:
        raise ValueError("Window length M must be a non-negative integer")
    if length <= 1:
        return np.ones(int(length))
    return _WINDOWS[name](int(length) + periodic, *parameters)[: int(length)]


def _tensor(name: str, length: int, periodic: bool, *parameters: Any, **told: Any) -> Any:
    return to_tensor(
        _window(name, length, periodic, *parameters),
        told.get("dtype") or "float32",
        stop_gradient=not told.get("requires_grad"),
    )


def hann_window(window_length: int, periodic: bool = True, **told: Any) -> Any:
    """Return ``0.5 - 0.5 cos``, [window_length]; `told`: dtype, requires_grad, and what a place is said by.

    Raises:
        ValueError: **must be a non-negative integer**.
    """
    return _tensor("hann", window_length, periodic, **told)


def hamming_window(
    window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, **told: Any
) -> Any:
    """Return ``alpha - beta cos``, [window_length]; `told` as in :func:`hann_window`."""
    return _tensor("hamming", window_length, periodic, alpha, beta, **told)


def blackman_window(window_length: int, periodic: bool = True, **told: Any) -> Any:
    """Return ``0.42 - 0.5 cos + 0.08 cos``, of one period and of two; `told` as in :func:`hann_window`."""
    return _tensor("blackman", window_length, periodic, **told)


def bartlett_window(window_length: int, periodic: bool = True, **told: Any) -> Any:
    """Return a triangle from 0 to 1 to 0, [window_length]; `told` as in :func:`hann_window`."""
    return _tensor("bartlett", window_length, periodic, **told)


def kaiser_window(window_length: int, periodic: bool = True, beta: float = 12.0, **told: Any) -> Any:
    """Return Kaiser's window, the Bessel function of half a circle; `told` as in :func:`hann_window`."""
    return _tensor("kaiser", window_length, periodic, beta, **told)
