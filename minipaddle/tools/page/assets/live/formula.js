/* Formulas with the numbers of one element put in, as minipaddle/tools/explain/symbols/element.py and text.py write them.
 *
 * A formula is an instruction (minipaddle/tools/explain/symbols/page_program/instructions.py): its parts are instructions, too, and
 * their arrays hold the numbers of all elements. What is put in is a `{written, level}`, a text and how strongly it
 * holds together; `alone` is a single number. The tables of signs come from Python.
 */

const PRINT = book.printing;
const { sum: SUM, product: PRODUCT, sign: SIGN, power: POWER, atom: ATOM } = PRINT?.levels ?? {};

class Formulas extends Program {
  constructor(instructions, numbers, texts) {
    super(instructions, numbers);
    this.texts = texts;
  }

  is(at) {
    return Boolean(this.arrays[at][0]);
  }

  /** Return where the first number stands that is the largest but for rounding; where there is a NaN, the first NaN. */
  largest(at) {
    const array = this.arrays[at];
    const bad = array.findIndex((one) => one !== one);
    const top = PRINT.alike * array.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    return bad >= 0 ? bad : array.findIndex((one) => Math.abs(one) >= top);
  }

  /** Whether a formula gives a value everywhere, but for rounding. */
  holds(root, value) {
    const [found, wanted] = [this.arrays[root], this.arrays[value]];
    const near = { f4: 1e-4, f8: 1e-6 }[this.instructions[value][2]] ?? 1e-2;
    const scale = wanted.reduce((most, one) => (Number.isFinite(one) ? Math.max(most, Math.abs(one)) : most), 0);
    return found.every((one, place) => isNear(one, wanted[place], near, 1e-6 + (near * scale) / 10));
  }

  /** Return `[0, 1] = 0.2 * 0.5 + 0.6 * 0.1 = 0.16` of a value; null where a number is all there is to say. */
  line(root, value, named) {
    const spot = this.largest(value);
    const put = new Putting(this, root, named).opened(root, spot);
    const near = this.instructions[value][2] === "f2" ? 1e-2 : 1e-3;
    if (put.alone || !isNear(this.arrays[root][spot], this.arrays[value][spot], near, 1e-6)) return null;
    const written = put.written.length <= PRINT.longest ? put.written : new Putting(this, root, named).shallow(root, spot).written;
    const here = this.arrays[value].length > 1 ? placeText(spot, this.shape(value)) : "";
    return `${here} = ${written} = ${this.figure(value, spot).written}`;
  }

  /** Return a number that is put in. */
  figure(at, spot) {
    const [number, dtype] = [this.arrays[at][spot], this.instructions[at][2]];
    if (dtype === "b1") return { ...figureOf(number), written: number ? "True" : "False", level: ATOM, isBool: true };
    return !isFloat(dtype) ? { ...figureOf(number), written: String(number) } : figureOf(number);
  }

  /** Return a number of the formula itself. */
  constant(at) {
    const [written, level] = this.texts[at] ?? [String(exact(this.instructions[at][3])), undefined];
    return { written, level: level ?? (written.startsWith("-") ? SIGN : ATOM), alone: true, isConstant: true };
  }
}

function figureOf(number) {
  const written = brief(number);
  return { written, level: written.startsWith("-") ? SIGN : ATOM, alone: true, isFigure: true, number };
}

const isNear = (one, other, near, least) =>
  one === other || (one !== one && other !== other) || Math.abs(one - other) <= least + near * Math.abs(other);

/** Return which element of a part meets an element of what it is broadcast to. */
function alignedAt(part, wide, spot) {
  let [found, step] = [0, 1];
  for (let axis = wide.length - 1, rest = spot; axis >= 0; axis--) {
    const own = part[axis - (wide.length - part.length)];
    if (own > 1) found += (rest % wide[axis]) * step;
    step *= own ?? 1;
    rest = Math.floor(rest / wide[axis]);
  }
  return found;
}

/** Puts the numbers of one element in. */
class Putting {
  constructor(formulas, root, named) {
    Object.assign(this, { formulas, root, named: new Set(named) });
  }

  kind(at) {
    return this.formulas.instructions[at][0];
  }

  /** Return the part that a move or a conversion of floats takes an element from, and which one; nothing of others. */
  origin(at, spot) {
    const [kind, , dtype, part, places] = this.formulas.instructions[at];
    if (kind === "take") return [part, places ? places[spot] : spot];
    return kind === "cast" && isFloat(dtype) && isFloat(this.formulas.instructions[part][2]) ? [part, spot] : null;
  }

  /** Write a product or a sum as its terms; look for it through moves, and beside numbers. */
  opened(at, spot) {
    const origin = this.origin(at, spot);
    if (origin) return this.opened(...origin);
    const [kind, shape, , ...rest] = this.formulas.instructions[at];
    if (kind === "matmul") return this.product(shape, rest, spot);
    if (kind === "scatter") return this.arriving(rest, spot);
    if (kind === "reduce" && ["sum", "mean"].includes(rest[0])) return this.terms(at, rest, spot);
    if (kind === "apply" && rest[1].filter((part) => this.kind(part) !== "number").length === 1) return this.applied(at, spot, "opened", true);
    return this.single(at, spot);
  }

  product(shape, [left, right], spot) {
    const [a, b] = [this.formulas.arrays[left], this.formulas.arrays[right]];
    const [one, other] = [this.formulas.shape(left), this.formulas.shape(right)];
    const columns = other.length > 1 ? other.at(-1) : 1;
    const rows = one.length > 1 ? one.at(-2) : 1;
    const along = one.at(-1);
    const batch = Math.floor(spot / (rows * columns));
    const wide = shape.slice(0, shape.length - (one.length > 1) - (other.length > 1));
    const row = (alignedAt(one.slice(0, -2), wide, batch) * rows + (Math.floor(spot / columns) % rows)) * along;
    const column = alignedAt(other.slice(0, -2), wide, batch) * along * columns + (spot % columns);
    const pairs = Array.from({ length: along }, (_, k) => [a[row + k], b[column + k * columns]]);
    return sumOf(pairs.slice(0, PRINT.most).map((pair) => pair.map(factor).join(" * ")), along, pairs.reduce((sum, [x, y]) => sum + x * y, 0));
  }

  arriving([part, places], spot) {
    const found = [...this.formulas.arrays[part]].filter((_, i) => places[i] === spot);
    return sumOf(found.slice(0, PRINT.most).map(factor), found.length, found.reduce((sum, one) => sum + one, 0));
  }

  /** Write out the elements that fall together; of elementwise work, with the numbers of each. */
  terms(at, [kind, part, axes], spot) {
    const { arrays } = this.formulas;
    const elements = together(this.formulas.shape(part), axes, arrays[at].length)[spot];
    const count = elements.length;
    const shown = elements.slice(0, count <= PRINT.most ? count : PRINT.shown);
    const put = shown.map((one) => this.single(part, one));
    let written = put.map((one) => (one.isFigure ? factor(one.number) : one.written));
    if (written.join("").length > PRINT.longest || put.some((one) => !one.isFigure && !one.isProduct)) written = shown.map((one) => factor(arrays[part][one]));
    const total = sumOf(written, count, elements.reduce((sum, one) => sum + arrays[part][one], 0));
    return kind === "sum" ? total : between("divide", total, { written: String(count), level: ATOM, isConstant: true });
  }

  /** Put in the number of every part at one place. */
  single(at, spot) {
    if (this.named.has(at) && at !== this.root) return this.formulas.figure(at, spot);
    const origin = this.origin(at, spot);
    if (origin) return this.single(...origin);
    if (this.kind(at) === "apply") return this.applied(at, spot, "single", false);
    return this.kind(at) === "number" ? this.formulas.constant(at) : this.formulas.figure(at, spot);
  }

  /** Put in one number for every part of the outermost function. */
  shallow(at, spot) {
    const [kind, , , part] = this.formulas.instructions[at];
    if (kind === "take" || kind === "cast") return this.shallow(...(this.origin(at, spot) ?? [part, spot]));
    return kind === "apply" ? this.applied(at, spot, "number", true) : this.formulas.figure(at, spot);
  }

  number(at, spot) {
    return this.formulas.figure(at, spot);
  }

  /** Apply a function to parts that are put in; a condition that stands for a number counts as 1 or 0. */
  applied(at, spot, how, keepsConditions) {
    const [, shape, dtype, name, parts] = this.formulas.instructions[at];
    let put = parts.map((part) => {
      if (this.kind(part) === "number") return this.formulas.constant(part);
      return this[how](part, alignedAt(this.formulas.shape(part), shape, spot));
    });
    const counts = !keepsConditions && name !== "where" && isFloat(dtype);
    if (counts) put = put.map((one) => (one.isFigure && one.isBool ? figureOf(one.number) : one));
    return { ...written(name, put), isBool: dtype === "b1" };
  }
}

/* ---- text: the brackets that parts need ------------------------------------------------------------------------------ */

const standing = (put, level) => (put.level < level ? `(${put.written})` : put.written);

/** Write a number to stand beside a sign: a negative one in brackets. */
function factor(number) {
  const put = figureOf(number);
  return put.level === ATOM ? put.written : `(${put.written})`;
}

/** Write a sum; of many terms some, and how many there are. */
function sumOf(given, count, total) {
  if (!given.length || (given.length === 1 && !given[0].includes(" "))) return figureOf(total);
  const terms = count > PRINT.most ? [...given.slice(0, PRINT.shown), `... (${count} terms)`] : given;
  const [first, ...rest] = terms;
  const begin = first.replace(/^\((-[^ ()]+)\)/, "$1");
  const written = begin + rest.map((term) => (term.startsWith("-") ? ` - ${term.slice(1)}` : ` + ${term}`)).join("");
  return { written, level: terms.length > 1 ? SUM : PRODUCT, isFigure: true, number: total };
}

/** Write a function of parts. */
function written(name, parts) {
  const isPlain = name.startsWith("logical") && parts.some((part) => !part.isBool);
  if (name in PRINT.infix && !isPlain) return between(name, ...parts);
  if (["negative", "invert", "logical_not"].includes(name) && !isPlain) {
    const sign = name === "negative" ? "-" : "~";
    const [inner] = parts;
    if (inner.isFigure && inner.written.startsWith("-")) return { written: `${sign}(${inner.written})`, level: SIGN };
    const level = sign === "-" && inner.isProduct ? PRODUCT : SIGN;
    return { written: sign + standing(inner, level), level };
  }
  return { written: `${PRINT.names[name] ?? name}(${parts.map((part) => part.written).join(", ")})`, level: ATOM };
}

/** Write a sign between two parts. */
function between(name, left, right) {
  let [sign, level] = PRINT.infix[name];
  if (sign === "**") return { written: `${standing(left, ATOM)} ** ${standing(right, SIGN)}`, level: POWER, sign };
  const isFree = PRINT.free[sign]?.includes(right.sign);
  let second = standing(right, isFree ? level : level + 1);
  const own = sign;
  if (sign === "+" && second.startsWith("-")) [sign, second] = ["-", second.slice(1)];
  else if (second.startsWith("-") && level > 0 && (level === SUM || right.isFigure)) second = `(${second})`;
  const written = `${standing(left, level + (level === 0))} ${sign} ${second}`;
  return { written, level, sign: own, isProduct: level === PRODUCT && own !== "//" && own !== "%" };
}
