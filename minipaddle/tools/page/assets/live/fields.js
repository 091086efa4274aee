/* Fields: the parts of a page's texts that are made of numbers, which the reader may change.
 *
 * A field is [how, values, before, after]; the looks are those of minipaddle/tools/words/numbers.py. Read next: push.js.
 */

/** Return the statistics of numbers, those of the finite ones, as Python has them. */
function statsOf(numbers) {
  const finite = [...numbers].filter(Number.isFinite);
  const total = (of) => finite.reduce((sum, one) => sum + of(one), 0);
  const largest = finite.reduce((most, one) => Math.max(most, Math.abs(one)), 0) || 1;
  const norm = largest * Math.sqrt(total((one) => (one / largest) ** 2)); // of tiny numbers, too
  const known = (number) => (finite.length ? number : NaN);
  return {
    min: known(Math.min(...finite)),
    max: known(Math.max(...finite)),
    mean: known(total((one) => one) / finite.length),
    rms: known(norm / Math.sqrt(finite.length)),
    norm: known(norm),
    zeros: finite.filter((one) => one === 0).length,
    nans: numbers.filter((one) => one !== one).length,
    infs: numbers.filter((one) => Math.abs(one) === Infinity).length,
  };
}

/* ---- fields: the same looks at numbers as in minipaddle/tools/words/numbers.py ------------------------------------------- */

const MOST_SHOWN = 3;

const LOOKS = {
  few(value) {
    const { nans, infs } = value.stats;
    const below = value.numbers.filter((one) => one === -Infinity).length === infs;
    const counts = [[nans, "NaN"], [infs, below ? "-Inf" : "Inf"]].filter(([count]) => count);
    if (counts.length) return counts.map(([count, what]) => `§${what}: ${count} of ${value.numbers.length}§`).join("§, §");
    return value.numbers.length > MOST_SHOWN ? "" : [...value.numbers].map(value.isTruth ? (one) => (one ? "True" : "False") : brief).join(", ");
  },
  look(value) {
    const few = LOOKS.few(value);
    if (few) return few;
    if (isZero(value)) return "§all zero§";
    return value.isGradient && value.stats.norm === value.stats.norm ? `§norm ${brief(value.stats.norm)}§` : "";
  },
  glance: (value) => LOOKS.look(value) || `§norm ${brief(value.stats.norm)}§`,
  all: ({ numbers, shape }) => allOf(numbers, shape),
  bad: (value) => (isBad(value) ? LOOKS.few(value) : ""),
  ends(value) {
    const { min, mean, max, norm } = value.stats;
    if (norm !== norm) return isBad(value) ? "" : LOOKS.look(value);
    return `min ${brief(min)}, mean ${brief(mean)}, max ${brief(max)}`;
  },
  sizes({ stats: { rms, norm, zeros }, numbers }) {
    if (norm !== norm) return "";
    return `rms ${brief(rms)}, norm ${brief(norm)}${zeros ? `§, ${zeros} of ${numbers.length} zero§` : ""}`;
  },
  zero: (...values) => stateOf(values.map((value) => (isZero(value) ? "§gradient is zero§" : ""))),
  added: (...values) => stateOf(values.map((value) => (isZero(value) ? "§gradient is zero§" : "§added to what was there§"))),
  range(...values) {
    const bad = values.filter(isBad).length;
    if (bad) return `§NaN or Inf in ${bad} of ${values.length}§`;
    const norms = values.map((one) => one.stats.norm);
    if (norms.length < 2 || norms.some((norm) => norm !== norm)) return "";
    const ends = [Math.min(...norms), Math.max(...norms)].sort((one, other) => norms.indexOf(one) - norms.indexOf(other));
    const [low, high] = ends.map(brief); // as they come in the run, and in the strips
    return low === high ? `§norm ${low}§` : `§norm ${low} to ${high}§`;
  },
};

/* ---- fields that decide whether their line is said: null, and it is not ---------------------------------------------- */

const SAID = {
  when: (push, [at]) => (push.formulas.is(at) ? "" : null),
  count: (push, [at]) => String(push.formulas.arrays[at][0]),
  put: (push, [root, value, ...named]) => push.formulas.line(root, value, named),
  holds: (push, [root, value], told) => (push.formulas.holds(root, value) ? "" : SAID.recorded(push, [], told)),
  recorded(push, ids, told) {
    told.recorded = true;
    return "";
  },
  cancel(push, [size, ...ids]) {
    const sums = Array.from({ length: ids.length / size }, (_, at) => push.values(ids.slice(at * size, (at + 1) * size)));
    return stateOf(sums.map((values) => (cancels(values) ? "§the terms cancel§" : "")));
  },
  cancels: (push, ids) => (cancels(push.values(ids)) ? "" : null),
  left: (push, ids) => percent(leftOf(push.values(ids))),
  share(push, [place, ...ids]) {
    const values = push.values(ids);
    const terms = values.slice(0, -1);
    const parts = terms.map((term) => shareOf(term, terms));
    return parts.every(Number.isFinite) ? (contributionOf(terms[place], parts[place]) || percent(parts[place])).padStart(10) : null;
  },
};

/** Return the words for a gradient that all rounds have; if only some have any, how many they are. */
function stateOf(states) {
  const [said, ...rest] = states.filter(Boolean);
  if (!said || (rest.length + 1 === states.length && rest.every((one) => one === said))) return said ?? "";
  const count = states.filter((one) => one === said).length;
  return `§${said} (${count} of ${states.length})§`;
}

const cancels = (values) => leftOf(values) < 0.1;

/** Return how much of the norms of terms is left in their sum, the last of the values: as in tools/record/term_shares.py. */
function leftOf(values) {
  const norms = values.slice(0, -1).reduce((sum, one) => sum + one.stats.norm, 0);
  const total = values.at(-1);
  return norms > 0 && Number.isFinite(norms) && Number.isFinite(total.stats.norm) && !isBad(total)
    ? total.stats.norm / norms
    : NaN;
}

/** Return which part of all terms' absolute elements a term has: as in tools/record/term_shares.py. */
function shareOf(term, terms) {
  const size = (part) => part.numbers.reduce((sum, one) => sum + Math.abs(one), 0);
  const whole = terms.reduce((sum, one) => sum + size(one), 0);
  return whole < Infinity ? size(term) / whole : NaN;
}

/** Return what a term adds to a sum: its numbers if they are few, else its share, from 1% to 99%. */
function contributionOf(term, share) {
  const few = term.numbers.length && term.numbers.length <= MOST_SHOWN;
  if (few) return [...term.numbers].map(brief).map((one) => (one.startsWith("-") ? one : `+${one}`)).join(", ");
  return 0.005 < share && share < 0.995 ? percent(share) : "";
}

function percent(part) {
  const whole = toEven(100 * part);
  if (whole !== 100 * part && whole % 100 === 0 && part > 0 && part < 2) return whole ? ">99%" : "<1%";
  return `${whole}%`;
}

/** Round to a whole number: a half goes to the even one. */
function toEven(number) {
  const whole = Math.floor(number);
  return number - whole === 0.5 ? whole + (whole % 2 ? 1 : 0) : Math.round(number);
}

/** Return numbers as nested lists of short ones. */
function allOf(numbers, [count, ...inner]) {
  if (count === undefined) return brief(numbers[0]);
  const step = numbers.length / count;
  return `[${Array.from({ length: count }, (_, at) => allOf(numbers.slice(at * step, (at + 1) * step), inner)).join(", ")}]`;
}

const isZero = ({ stats, numbers }) => numbers.length > 0 && stats.zeros === numbers.length;
const isBad = ({ stats }) => Boolean(stats.nans || stats.infs);
