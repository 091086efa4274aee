// Functions of single elements, by NumPy's names or the operator's; x, y and z are the arguments, and a condition is 1 or 0.
// instructions.py takes from here what a page needs: a function is one line, a helper goes with who calls it.

function rest(x, y) { // of the sign of y
  const left = x % y;
  return left && left < 0 !== y < 0 ? left + y : left;
}

function erf(x) { // x e^(-x^2) (1 + 2x^2/3 + 4x^4/15 + ...) 2 / sqrt(pi): every term is positive
  if (!(Math.abs(x) < 6)) return Math.sign(x);
  let [term, total] = [x, x];
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(total); n++) total += term *= (2 * x * x) / (2 * n + 1);
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * total;
}

function even(x) { // halves go to the even number
  const down = Math.floor(x);
  if (x - down !== 0.5) return Math.round(x);
  return down % 2 ? down + 1 : down;
}

const FUNCTIONS = {
  add: (x, y, z) => x + y,
  subtract: (x, y, z) => x - y,
  multiply: (x, y, z) => x * y,
  divide: (x, y, z) => x / y,
  square: (x, y, z) => x * x,
  reciprocal: (x, y, z) => 1 / x,
  power: (x, y, z) => x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y,
  remainder: (x, y, z) => rest(x, y),
  floor_divide: (x, y, z) => Math.floor(x / y),
  negative: (x, y, z) => -x,
  absolute: (x, y, z) => Math.abs(x),
  maximum: (x, y, z) => Math.max(x, y),
  minimum: (x, y, z) => Math.min(x, y),
  fmax: (x, y, z) => x !== x ? y : y !== y ? x : Math.max(x, y),
  fmin: (x, y, z) => x !== x ? y : y !== y ? x : Math.min(x, y),
  clip: (x, y, z) => Math.min(Math.max(x, y), z),
  where: (x, y, z) => x ? y : z,
  conjugate: (x, y, z) => x,
  round: (x, y, z) => even(x),
  rint: (x, y, z) => even(x),
  sigmoid: (x, y, z) => 1 / (1 + Math.exp(-x)),
  softplus: (x, y, z) => x > 20 ? x : Math.log1p(Math.exp(x)),
  erf: (x, y, z) => erf(x),
  isnan: (x, y, z) => x !== x,
  isinf: (x, y, z) => Math.abs(x) === Infinity,
  isfinite: (x, y, z) => Number.isFinite(x),
  logical_not: (x, y, z) => x === 0,
  logical_and: (x, y, z) => x !== 0 && y !== 0,
  logical_or: (x, y, z) => x !== 0 || y !== 0,
  logical_xor: (x, y, z) => (x !== 0) !== (y !== 0),
  bitwise_and: (x, y, z) => x & y,
  bitwise_or: (x, y, z) => x | y,
  bitwise_xor: (x, y, z) => x ^ y,
  invert: (x, y, z) => 1 - x,
  arctan2: (x, y, z) => Math.atan2(x, y),
  greater: (x, y, z) => x > y,
  greater_equal: (x, y, z) => x >= y,
  less: (x, y, z) => x < y,
  less_equal: (x, y, z) => x <= y,
  equal: (x, y, z) => x === y,
  not_equal: (x, y, z) => x !== y,
  exp: (x, y, z) => Math.exp(x),
  log: (x, y, z) => Math.log(x),
  log1p: (x, y, z) => Math.log1p(x),
  log2: (x, y, z) => Math.log2(x),
  log10: (x, y, z) => Math.log10(x),
  expm1: (x, y, z) => Math.expm1(x),
  sqrt: (x, y, z) => Math.sqrt(x),
  sign: (x, y, z) => Math.sign(x),
  floor: (x, y, z) => Math.floor(x),
  ceil: (x, y, z) => Math.ceil(x),
  trunc: (x, y, z) => Math.trunc(x),
  sin: (x, y, z) => Math.sin(x),
  cos: (x, y, z) => Math.cos(x),
  tan: (x, y, z) => Math.tan(x),
  sinh: (x, y, z) => Math.sinh(x),
  cosh: (x, y, z) => Math.cosh(x),
  tanh: (x, y, z) => Math.tanh(x),
  arcsin: (x, y, z) => Math.asin(x),
  arccos: (x, y, z) => Math.acos(x),
  arctan: (x, y, z) => Math.atan(x),
  arcsinh: (x, y, z) => Math.asinh(x),
  arccosh: (x, y, z) => Math.acosh(x),
  arctanh: (x, y, z) => Math.atanh(x),
};
