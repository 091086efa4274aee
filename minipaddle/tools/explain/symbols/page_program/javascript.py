"""Functions of single elements in JavaScript: what a page computes again, where a formula is shown as text or LaTeX.

A function is named as NumPy names it, or as the operator that stands by its name; x, y and z are its arguments, and a
condition is 1 or 0. What has no line here is not offered.
"""

from collections.abc import Iterable

_COMPARED = {
    "greater": ">", "greater_equal": ">=", "less": "<", "less_equal": "<=", "equal": "===", "not_equal": "!==",
}  # fmt: skip
_SAME_NAME = (
    "exp", "log", "log1p", "log2", "log10", "expm1", "sqrt", "sign", "floor", "ceil", "trunc",
    "sin", "cos", "tan", "sinh", "cosh", "tanh",
)  # fmt: skip
_OF_CONDITIONS = ("bitwise_and", "bitwise_or", "bitwise_xor", "invert")
FUNCTIONS: dict[str, str] = {
    "add": "x + y",
    "subtract": "x - y",
    "multiply": "x * y",
    "divide": "x / y",
    "square": "x * x",
    "reciprocal": "1 / x",
    "power": "x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y",
    "remainder": "rest(x, y)",
    "floor_divide": "Math.floor(x / y)",
    "negative": "-x",
    "absolute": "Math.abs(x)",
    "maximum": "Math.max(x, y)",
    "minimum": "Math.min(x, y)",
    "fmax": "x !== x ? y : y !== y ? x : Math.max(x, y)",
    "fmin": "x !== x ? y : y !== y ? x : Math.min(x, y)",
    "clip": "Math.min(Math.max(x, y), z)",
    "where": "x ? y : z",
    "conjugate": "x",
    "round": "even(x)",
    "rint": "even(x)",
    "sigmoid": "1 / (1 + Math.exp(-x))",
    "softplus": "x > 20 ? x : Math.log1p(Math.exp(x))",
    "erf": "erf(x)",
    "isnan": "x !== x",
    "isinf": "Math.abs(x) === Infinity",
    "isfinite": "Number.isFinite(x)",
    "logical_not": "x === 0",
    "logical_and": "x !== 0 && y !== 0",
    "logical_or": "x !== 0 || y !== 0",
    "logical_xor": "(x !== 0) !== (y !== 0)",
    "bitwise_and": "x & y",
    "bitwise_or": "x | y",
    "bitwise_xor": "x ^ y",
    "invert": "1 - x",
    "arctan2": "Math.atan2(x, y)",
    **{name: f"x {sign} y" for name, sign in _COMPARED.items()},
    **{name: f"Math.{name}(x)" for name in _SAME_NAME},
    **{f"arc{name}": f"Math.a{name}(x)" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
}
_HELPERS = {
    "rest": """function rest(x, y) { // of the sign of y
  const left = x % y;
  return left && left < 0 !== y < 0 ? left + y : left;
}
""",
    "erf": """function erf(x) { // x e^(-x^2) (1 + 2x^2/3 + 4x^4/15 + ...) 2 / sqrt(pi): every term is positive
  if (!(Math.abs(x) < 6)) return Math.sign(x);
  let [term, total] = [x, x];
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(total); n++) total += term *= (2 * x * x) / (2 * n + 1);
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * total;
}
""",
    "even": """function even(x) { // halves go to the even number
  const down = Math.floor(x);
  if (x - down !== 0.5) return Math.round(x);
  return down % 2 ? down + 1 : down;
}
""",
}


def known(name: str, kinds: Iterable[str]) -> bool:
    """Say whether there is a line for a function of parts of these kinds of dtype (``f``, ``b``, ...).

    >>> known("tanh", "f"), known("bitwise_and", "bi"), known("gammaln", "f")
    (True, False, False)
    """
    return name in FUNCTIONS and (name not in _OF_CONDITIONS or set(kinds) == {"b"})


def functions(names: Iterable[str]) -> str:
    """Return a script: an object that has a function of up to three numbers for each of `names`.

    >>> print(functions(["add", "isnan"]))
    const FUNCTIONS = {
      add: (x, y, z) => x + y,
      isnan: (x, y, z) => x !== x,
    };
    <BLANKLINE>
    """
    texts = {name: FUNCTIONS[name] for name in sorted(set(names))}
    helpers = "".join(
        helper
        for name, helper in _HELPERS.items()
        if any(one.startswith(f"{name}(") for one in texts.values())
    )
    lines = "".join(f"  {name}: (x, y, z) => {text},\n" for name, text in texts.items())
    return f"{helpers}const FUNCTIONS = {{\n{lines}}};\n"
