"""Numbers as a mathematician writes them: 0.7978845608 is ``sqrt(2 / pi)``, and times 0.3333 is divided by 3."""

import math
from typing import Any

_KNOWN = {
    "pi": math.pi,
    "sqrt(2)": math.sqrt(2),
    "sqrt(pi)": math.sqrt(math.pi),
    "sqrt(2 * pi)": math.sqrt(2 * math.pi),
    "sqrt(2 / pi)": math.sqrt(2 / math.pi),
    "2 / sqrt(pi)": 2 / math.sqrt(math.pi),
    "log(2)": math.log(2),
    "log(10)": math.log(10),
}
_SAME = 1e-12


def known(number: Any) -> str:
    """Return the expression that a number is the value of; "" if it is none of the usual ones.

    >>> known(1.4142135623730951), known(1.5)
    ('sqrt(2)', '')
    """
    if not isinstance(number, float) or not number:
        return ""
    return next((text for text, value in _KNOWN.items() if abs(number / value - 1) < _SAME), "")


def divisor(number: float) -> float:
    """Return by what to divide instead of multiplying by `number`; 0.0 if its decimals are short anyhow.

    >>> divisor(1 / 3), divisor(0.25), known(divisor(0.5 ** 0.5))
    (3, 0.0, 'sqrt(2)')
    """
    if not number or not math.isfinite(number) or len(f"{number:.12g}") <= 8 or known(number):
        return 0.0
    over = round(1 / number, 12)
    if abs(over * number - 1) < _SAME and len(f"{over:g}") <= 5 and float(f"{over:g}") == over:
        return int(over) if over.is_integer() else over
    over = 1 / number
    return over if known(over) else 0.0
