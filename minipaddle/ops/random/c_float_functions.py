"""Two functions as the C and C++ libraries compute them in float32, to the last bit; NumPy's own round otherwise.

The logarithm is that of glibc since 2.27 (Arm's optimized routines), the inverse of the error function is Wichura's
algorithm AS 241 as Paddle has it, in which single precision meets double at three places.
"""

from __future__ import annotations

import math

import numpy as np

from minipaddle.engine.value.meta import Array

_INVERSES_AND_LOGS = """
0x1.661ec79f8f3bep+0 -0x1.57bf7808caadep-2  0x1.571ed4aaf883dp+0 -0x1.2bef0a7c06ddbp-2
0x1.49539f0f010bp+0  -0x1.01eae7f513a67p-2  0x1.3c995b0b80385p+0 -0x1.b31d8a68224e9p-3
0x1.30d190c8864a5p+0 -0x1.6574f0ac07758p-3  0x1.25e227b0b8eap+0  -0x1.1aa2bc79c81p-3
0x1.1bb4a4a1a343fp+0 -0x1.a4e76ce8c0e5ep-4  0x1.12358f08ae5bap+0 -0x1.1973c5a611cccp-4
0x1.0953f419900a7p+0 -0x1.252f438e10c1ep-5  0x1p+0               0x0p+0
0x1.e608cfd9a47acp-1 0x1.aa5aa5df25984p-5   0x1.ca4b31f026aap-1  0x1.c5e53aa362eb4p-4
0x1.b2036576afce6p-1 0x1.526e57720db08p-3   0x1.9c2d163a1aa2dp-1 0x1.bc2860d22477p-3
0x1.886e6037841edp-1 0x1.1058bc8a07ee1p-2   0x1.767dcf5534862p-1 0x1.4043057b6ee09p-2
"""
_INVERSES, _LOGS = (
    np.array([float.fromhex(one) for one in _INVERSES_AND_LOGS.split()]).reshape(16, 2).T.copy()
)
_CUBIC = [
    float.fromhex(one) for one in ("-0x1.ffffef20a4123p-2", "0x1.5575b0be00b6ap-2", "-0x1.00ea348b88334p-2")
]
_FIRST = np.int32(0x3F330000)
"""The bits of the number that the sixteen parts of an octave begin with."""

_AT_ONCE = 1 << 13

_NEAR = (
    (1.1975323115670912564578e0, 4.7072688112383978012285e1, 6.9706266534389598238465e2, 4.8548868893843886794648e3,
     1.6235862515167575384252e4, 2.3782041382114385731252e4, 1.1819493347062294404278e4, 8.8709406962545514830200e2),
    (1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3),
)  # fmt: skip
_FAR = (
    (1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
     1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4),
    (1.4142135623730950488016887e0, 2.9036514445419946173133295e0, 2.3707661626024532365971225e0,
     9.7547832001787427186894837e-1, 2.0945065210512749128288442e-1, 2.1494160384252876777097297e-2,
     7.7441459065157709165577218e-4, 1.4859850019840355905497876e-9),
)  # fmt: skip


def log(x: Array) -> Array:
    """Return the natural logarithm of numbers above 0, rounded as the C library of Linux rounds it."""
    if x.dtype != np.float32:
        found: Array = np.log(x)
        return found
    made = np.empty(x.shape, np.float32)
    numbers, results = np.ascontiguousarray(x).reshape(-1), made.reshape(-1)
    for start in range(0, x.size, _AT_ONCE):  # as many as stay in the processor's cache
        part = slice(start, start + _AT_ONCE)
        results[part] = _single_log(numbers[part])
    return made


def _single_log(x: Array) -> Array:
    bits = x.view(np.int32)
    steps = bits - _FIRST
    octave = steps >> 23
    part = (steps >> 19) & 15
    r = (bits - (octave << 23)).view(np.float32) * _INVERSES.take(part)
    r -= 1
    low = _CUBIC[1] * r + _CUBIC[0]
    octaves: Array = octave * math.log(2) + _LOGS.take(part)
    octaves += r
    r *= r
    low += _CUBIC[2] * r
    low *= r
    low += octaves
    return low


def erfinv(x: Array) -> Array:
    """Return the inverse of the error function, for numbers whose result is below 5 in size."""
    kind = x.dtype.type
    size = np.abs(x)
    wide = size.astype(np.float64)
    r = (0.180625 - 0.25 * wide * wide).astype(kind)
    near = size * _polynomial(_NEAR[0], r) / _polynomial(_NEAR[1], r)
    with np.errstate(divide="ignore"):
        r = (np.sqrt(math.log(2) - np.log(1.0 - wide)).astype(kind).astype(np.float64) - 1.6).astype(kind)
    far = _polynomial(_FAR[0], r) / _polynomial(_FAR[1], r)
    return np.copysign(np.where(size <= 0.85, near, far), x)


def _polynomial(factors: tuple[float, ...], x: Array) -> Array:
    """Return the sum of factors times powers of `x`, in the type of `x`."""
    kind = x.dtype.type
    total = kind(factors[-1])
    for factor in reversed(factors[:-1]):
        total = total * x + kind(factor)
    return total
