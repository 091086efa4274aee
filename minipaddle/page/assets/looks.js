/* Numbers in words: the same looks at them as in minipaddle/words/numbers.py and trace/shares.py, for numbers that the
 * reader has changed.
 */

const WORDS = book.words;

/** Write a number as Python does with `.4g`. */
function brief(number) {
  if (!Number.isFinite(number)) return number !== number ? "nan" : number > 0 ? "inf" : "-inf";
  const [digits, power] = number.toExponential(3).split("e").map(Number);
  if (!number) return "0";
  if (power >= -4 && power < 4) return String(Number(number.toFixed(3 - power)));
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** Return the statistics of numbers, those of the finite ones, as Python has them. */
function statsOf(numbers) {
  const finite = [...numbers].filter(Number.isFinite);
  const total = (of) => finite.reduce((sum, one) => sum + of(one), 0);
  const squares = total((one) => one * one);
  const known = (number) => (finite.length ? number : NaN);
  return {
    min: known(Math.min(...finite)),
    max: known(Math.max(...finite)),
    mean: known(total((one) => one) / finite.length),
    rms: known(Math.sqrt(squares / finite.length)),
    norm: known(Math.sqrt(squares)),
    zeros: finite.filter((one) => one === 0).length,
    nans: numbers.filter((one) => one !== one).length,
    infs: numbers.filter((one) => Math.abs(one) === Infinity).length,
  };
}

/** Return a number with so many digits; JSON has no NaN, so it is text. */
const shortened = (number, digits) => (Number.isFinite(number) ? Number(number.toPrecision(digits)) : brief(number));

/** Return flat numbers as nested lists, as they are in the data of the page. */
function nested(numbers, shape, dtype) {
  const [, ...inner] = shape;
  const written = (one) => (dtype === "bool" ? Boolean(one) : dtype.startsWith("float") ? shortened(one, 4) : one);
  if (!shape.length) return written(numbers[0]);
  if (!inner.length) return [...numbers].map(written);
  const step = size(inner);
  return Array.from({ length: shape[0] }, (_, at) => nested(numbers.slice(at * step, (at + 1) * step), inner, dtype));
}

/* What a field of a text shows, by the name that Python gave to it. */
const MOST_SHOWN = 3;

const LOOKS = {
  few(value) {
    const { nans, infs } = value.stats;
    const counts = [[nans, "NaN"], [infs, "Inf"]].filter(([count]) => count);
    if (counts.length) return counts.map(([count, what]) => `${what}: ${count} of ${value.numbers.length}`).join(", ");
    return value.numbers.length > MOST_SHOWN ? "" : [...value.numbers].map(brief).join(", ");
  },
  look(value) {
    const few = LOOKS.few(value);
    if (few) return few;
    if (isZero(value)) return "all zero";
    return value.isGradient && value.stats.norm === value.stats.norm ? `norm ${brief(value.stats.norm)}` : "";
  },
  zero: (value) => (isZero(value) ? WORDS.zero : ""),
  cancel: (...values) => (leftOf(values) < 0.1 ? WORDS.cancel : ""),
  added: (value) => (isZero(value) ? WORDS.zero : WORDS.added),
  range(...values) {
    const bad = values.filter(isBad).length;
    if (bad) return `NaN or Inf in ${bad} of ${values.length}`;
    const norms = values.map((one) => one.stats.norm);
    if (norms.length < 2 || norms.some((norm) => norm !== norm)) return "";
    const [low, high] = [brief(Math.min(...norms)), brief(Math.max(...norms))];
    return low === high ? `norm ${low}` : `norm ${low} to ${high}`;
  },
};

/** Return how much of the norms of terms is left in their sum, the last of the values: as in trace/shares.py. */
function leftOf(values) {
  const norms = values.slice(0, -1).reduce((sum, one) => sum + one.stats.norm, 0);
  const total = values.at(-1);
  return norms > 0 && Number.isFinite(norms) && Number.isFinite(total.stats.norm) && !isBad(total)
    ? total.stats.norm / norms
    : NaN;
}

/** Return which part of a sum a term is, with its sign. */
function shareOf(term, total) {
  const along = (part) => part.numbers.reduce((sum, one, at) => sum + one * total.numbers[at], 0);
  return along(term) / along(total);
}

function percent(part) {
  const hundredth = 100 * part;
  return `${brief(Math.abs(hundredth) < 1 ? Number(hundredth.toPrecision(1)) : Math.round(hundredth))}%`;
}

const isZero = ({ stats, numbers }) => numbers.length > 0 && stats.zeros === numbers.length;
const isBad = ({ stats }) => Boolean(stats.nans || stats.infs);

