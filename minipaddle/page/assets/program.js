/* Computes a recording again: walks the instructions that Python wrote (minipaddle/explain/symbols/program/instructions.py says
 * which there are). An array is flat; one of single precision rounds what is written into it, as NumPy does.
 */

const size = (shape) => shape.reduce((product, one) => product * one, 1);
const exact = (number) => Number(number); // what JSON has no number for is text: "NaN", "Infinity"
const room = (dtype, count) => (dtype === "f4" ? new Float32Array(count) : new Float64Array(count));

class Program {
  constructor(instructions) {
    this.instructions = instructions;
    this.arrays = instructions.map(([, shape, dtype]) => room(dtype, size(shape)));
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
  put(at, place, number) {
    this.given.set(at, new Map(this.given.get(at)).set(place, number));
  }

  run() {
    this.steps.forEach((step, at) => {
      step();
      this.given.get(at)?.forEach((number, place) => { this.arrays[at][place] = number; });
    });
  }

  /** Return a function that writes what an instruction gives. */
  prepared([kind, shape, dtype, ...rest], out) {
    if (kind === "number" || kind === "numbers") return () => {};
    return this[kind](out, shape, dtype, ...rest);
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
    return () => {
      for (let i = 0; i < out.length; i++) {
        let total = begin;
        for (const at of groups[i]) total = add(total, from[at]);
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
    return () => {
      for (let n = 0; n < first.length; n++)
        for (let i = 0; i < rows; i++)
          for (let j = 0; j < columns; j++) {
            let total = 0;
            const [row, column] = [(first[n] * rows + i) * along, second[n] * along * columns + j];
            for (let k = 0; k < along; k++) total += a[row + k] * b[column + k * columns];
            out[(n * rows + i) * columns + j] = total;
          }
    };
  }

  cast(out, shape, dtype, part) {
    const from = this.arrays[part];
    const as = { b1: (x) => +(x !== 0), i8: Math.trunc }[dtype] ?? ((x) => x);
    return () => out.set(from.map(as));
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

  sum(out, shape, dtype, start, terms) {
    const first = [start].flat().map(exact);
    const total = new Float64Array(out.length);
    return () => {
      total.set(first);
      for (const [parts, products] of terms) {
        const [a, b] = parts.map((at) => this.arrays[at]);
        if (b) for (const [to, i, j, number] of products) total[to] += a[i] * b[j] * number;
        else for (const [to, i, number] of products) total[to] += a[i] * number;
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
