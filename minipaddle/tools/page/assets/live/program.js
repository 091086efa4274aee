/* Computes a recording again: walks the instructions that Python wrote (minipaddle/tools/explain/symbols/page_program/instructions.py says
 * which there are). An array is flat; one of single precision rounds what is written into it, as NumPy does.
 */

const size = (shape) => shape.reduce((product, one) => product * one, 1);
const exact = (number) => Number(number); // what JSON has no number for is text: "NaN", "Infinity"
const ROOMS = { f4: Float32Array, f2: Float32Array, i4: Int32Array, i2: Int16Array, i1: Int8Array, u1: Uint8Array };
const room = (dtype, count) => new (ROOMS[dtype] ?? Float64Array)(count); // what is written into whole numbers wraps, as in C
const LARGEST = 2 ** 128 - 2 ** 103; // what is larger, or as large, is infinite in single precision

const isFloat = (code) => code.startsWith("f");

/** Return a sum or product so far: infinite where single precision would have overflown on the way. */
const soFar = (dtype) => (dtype === "f8" ? (total) => total : (total) => (Math.abs(total) < LARGEST ? total : total * Infinity));

/* Numbers of 16 bits: held in single precision, and rounded to the nearest one, to the even one of two. */
const SINGLE = new Float32Array(1);
const BITS = new Uint32Array(SINGLE.buffer);
const NARROW = {
  f2(number) {
    SINGLE[0] = Math.abs(number);
    if (!(SINGLE[0] < Infinity)) return number;
    const step = 2 ** (Math.max((BITS[0] >>> 23) - 127, -14) - 10);
    const near = SINGLE[0] / step;
    const down = Math.floor(near);
    const rest = near - down;
    const found = (rest > 0.5 || (rest === 0.5 && down % 2) ? down + 1 : down) * step;
    return Math.sign(number) * (found > 65504 ? Infinity : found);
  },
};

function narrow(array, dtype) {
  const rounded = NARROW[dtype];
  if (rounded) array.forEach((number, at) => { array[at] = rounded(number); });
}

class Program {
  /** Take instructions, and the arrays of another program: what they call a leaf is one of these. */
  constructor(instructions, others = []) {
    this.instructions = instructions;
    this.arrays = instructions.map(([kind, shape, dtype, at]) => (kind === "leaf" ? others[at] : room(dtype, size(shape))));
    this.given = new Map(); // number of an instruction -> place in its array -> a number that the reader gave
    this.steps = instructions.map((one, at) => this.prepared(one, this.arrays[at]));
    this.reset();
  }

  /** Bring back the numbers of the recording. */
  reset() {
    this.given.clear();
    this.instructions.forEach(([kind, , , given], at) => {
      if (kind === "number") this.arrays[at].fill(exact(given));
      else if (kind === "numbers") this.arrays[at].set([given].flat().map(exact));
    });
    this.run();
  }

  /** Give an element another number, whatever it would be. */
  give(at, place, number) {
    this.given.set(at, new Map(this.given.get(at)).set(place, number));
  }

  run() {
    this.steps.forEach((step, at) => {
      step();
      this.given.get(at)?.forEach((number, place) => { this.arrays[at][place] = number; });
      narrow(this.arrays[at], this.instructions[at][2]);
    });
  }

  /** Return a function that writes what an instruction gives. */
  prepared([kind, shape, dtype, ...rest], out) {
    if (["number", "numbers", "leaf"].includes(kind)) return () => {};
    return this[kind === "whole" ? "take" : kind](out, shape, dtype, ...rest);
  }

  shape(at) {
    return this.instructions[at][1];
  }

  apply(out, shape, dtype, name, parts) {
    const run = FUNCTIONS[name];
    const [x, y, z] = parts.map((at) => this.arrays[at]);
    const [a, b, c] = parts.map((at) => stretched(this.shape(at), shape));
    return () => {
      for (let i = 0; i < out.length; i++) out[i] = run(x[a[i]], y?.[b[i]], z?.[c[i]]);
    };
  }

  reduce(out, shape, dtype, kind, part, axes) {
    const from = this.arrays[part];
    const groups = together(this.shape(part), axes, out.length);
    const { begin, add, end } = REDUCTIONS[kind];
    const kept = soFar(dtype);
    return () => {
      for (let i = 0; i < out.length; i++) {
        let total = begin;
        for (const at of groups[i]) total = kept(add(total, from[at]));
        out[i] = end ? end(total, groups[i].length) : total;
      }
    };
  }

  matmul(out, shape, dtype, left, right) {
    const [a, b] = [this.arrays[left], this.arrays[right]];
    const [one, other] = [this.shape(left), this.shape(right)];
    const rows = one.length > 1 ? one.at(-2) : 1;
    const columns = other.length > 1 ? other.at(-1) : 1;
    const along = one.at(-1);
    const batch = shape.slice(0, shape.length - (one.length > 1) - (other.length > 1));
    const [first, second] = [stretched(one.slice(0, -2), batch), stretched(other.slice(0, -2), batch)];
    const kept = soFar(dtype);
    return () => {
      for (let n = 0; n < first.length; n++)
        for (let i = 0; i < rows; i++)
          for (let j = 0; j < columns; j++) {
            let total = 0;
            const [row, column] = [(first[n] * rows + i) * along, second[n] * along * columns + j];
            for (let k = 0; k < along; k++) total = kept(total + kept(a[row + k] * b[column + k * columns]));
            out[(n * rows + i) * columns + j] = total;
          }
    };
  }

  cast(out, shape, dtype, part) {
    const from = this.arrays[part];
    const most = 2 ** (dtype === "i8" ? 63 : 31); // a float that no whole number is near becomes the least one, as in C
    const whole = (x) => (Math.abs(x) < most ? Math.trunc(x) : -most);
    const comes = this.instructions[part][2];
    const as = dtype === "b1" ? (x) => +(x !== 0) : isFloat(comes) && !isFloat(dtype) ? whole : (x) => x;
    return () => { for (let i = 0; i < out.length; i++) out[i] = as(from[i]); };
  }

  take(out, shape, dtype, part, places) {
    const from = this.arrays[part];
    return () => {
      for (let i = 0; i < out.length; i++) out[i] = from[places ? places[i] : i];
    };
  }

  scatter(out, shape, dtype, part, places) {
    const from = this.arrays[part];
    return () => {
      out.fill(0);
      places.forEach((place, i) => { out[place] += from[i]; });
    };
  }

  pick(out, shape, dtype, part, places) {
    const [from, at] = [this.arrays[part], this.arrays[places]];
    return () => { for (let i = 0; i < out.length; i++) out[i] = from[at[i]]; };
  }

  put(out, shape, dtype, part, places) {
    const [from, at] = [this.arrays[part], this.arrays[places]];
    return () => {
      out.fill(0);
      at.forEach((place, i) => { out[place] += from[i]; });
    };
  }

  join(out, shape, dtype, parts) {
    return () => {
      let at = 0;
      for (const part of parts) {
        out.set(this.arrays[part], at);
        at += this.arrays[part].length;
      }
    };
  }

  sum(out, shape, dtype, start, terms) {
    const first = [start].flat().map(exact);
    const total = new Float64Array(out.length);
    const kept = soFar(dtype);
    return () => {
      total.set(first);
      for (const [parts, products] of terms) {
        const [a, b] = parts.map((at) => this.arrays[at]);
        if (b) for (const [to, i, j, number] of products) total[to] = kept(total[to] + kept(a[i] * b[j] * number));
        else for (const [to, i, number] of products) total[to] = kept(total[to] + a[i] * number);
      }
      out.set(total);
    };
  }
}

const REDUCTIONS = {
  sum: { begin: 0, add: (total, x) => total + x },
  mean: { begin: 0, add: (total, x) => total + x, end: (total, count) => total / count },
  prod: { begin: 1, add: (total, x) => total * x },
  max: { begin: -Infinity, add: (total, x) => Math.max(total, x) },
  min: { begin: Infinity, add: (total, x) => Math.min(total, x) },
  all: { begin: 1, add: (total, x) => +(total && x !== 0) },
  any: { begin: 0, add: (total, x) => +(total || x !== 0) },
};

/** Return which element of an array each element of a larger shape is, to which it is broadcast. */
function stretched(shape, wide) {
  const found = new Int32Array(size(wide));
  const steps = wide.map((_, axis) => {
    const own = axis - (wide.length - shape.length);
    return own < 0 || shape[own] === 1 ? 0 : size(shape.slice(own + 1));
  });
  for (let i = 0; i < found.length; i++)
    for (let axis = wide.length - 1, rest = i; axis >= 0; axis--) {
      found[i] += (rest % wide[axis]) * steps[axis];
      rest = Math.floor(rest / wide[axis]);
    }
  return found;
}

/** Return for each element of a result which elements become it along some axes. */
function together(shape, axes, count) {
  const groups = Array.from({ length: count }, () => []);
  const kept = shape.map((one, axis) => (axes.includes(axis) ? 1 : one));
  stretched(kept, shape).forEach((to, from) => groups[to].push(from));
  return groups;
}
